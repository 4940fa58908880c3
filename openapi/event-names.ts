// The names in the interface document (sections 2.4 and 6.1). A name that is missing here is a compile error.
import type { Channel, EventName } from './generated/types.ts';

export const eventNames = Object.keys({
  'content.publish': true,
  'content.update': true,
  'content.delete': true,
  'form.submit': true,
  'comment.created': true,
  'publish.complete': true,
  'publish.failed': true,
} satisfies Record<EventName, true>) as readonly EventName[];

export const channels = Object.keys({
  custom: true,
  wecom: true,
  dingtalk: true,
  feishu: true,
} satisfies Record<Channel, true>) as readonly Channel[];

export const chatChannels = channels.filter((channel) => channel !== 'custom');
