// The names in the interface document (sections 2.4 and 6.1).
import type { Channel, EventName } from './generated/types.ts';

/** All of them, in the document's order: `satisfies` fails where one is missing or unknown. */
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

/** A chat product, whose group robots take the pushes. */
export type Robot = (typeof chatChannels)[number];

export const channels: readonly Channel[] = ['custom', ...chatChannels];
