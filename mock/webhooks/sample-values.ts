import type { EventName } from '../../openapi/generated/types.ts';
import type { Json } from '../../openapi/json.ts';

/** Neither ASCII alone nor without a slash, so that bodies that are written anew differ in every style but the compact one. */
export const sampleMessage = '测试消息 / This is a test message.';
const content = { id: 1, title: sampleMessage };

/** Values of the right kinds for an event that tells of nothing that happened. */
export const sampleValues: Record<EventName, Json> = {
  'content.publish': content,
  'content.update': content,
  'content.delete': content,
  'form.submit': { id: 1, form: 'test', fields: { message: sampleMessage } },
  'comment.created': { id: 1, author: 'test', text: sampleMessage },
  'publish.complete': { message: sampleMessage, pages: 1, version: 1 },
  'publish.failed': { message: sampleMessage },
};
