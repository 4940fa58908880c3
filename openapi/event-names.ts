// The names that the interface document gives (sections 2.4 and 6.1).
import type { Channel, EventName } from './generated/types.ts';

export const eventNames: readonly EventName[] = [
  'content.publish',
  'content.update',
  'content.delete',
  'form.submit',
  'comment.created',
  'publish.complete',
  'publish.failed',
];

export const channels: readonly Channel[] = ['custom', 'wecom', 'dingtalk', 'feishu'];

export const chatChannels: readonly Exclude<Channel, 'custom'>[] = ['wecom', 'dingtalk', 'feishu'];
