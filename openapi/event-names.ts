// The names of sections 2.4 and 6.1 of the interface document.
import type { Channel, EventName } from './generated/types.ts';

/** In the order of the document. `satisfies` fails if a name is missing or unknown. */
export const eventNames = Object.keys({
  'content.publish': true,
  'content.update': true,
  'content.delete': true,
  'form.submit': true,
  'comment.created': true,
  'publish.complete': true,
  'publish.failed': true,
} satisfies Record<EventName, true>) as readonly EventName[];

export const chatChannels = ['wecom', 'dingtalk', 'feishu'] as const satisfies readonly Channel[];

export type Robot = (typeof chatChannels)[number];

export const channels: readonly Channel[] = ['custom', ...chatChannels];
