import type { EventName } from '../../openapi/generated/types.ts';
import type { Json } from '../../openapi/json.ts';

/** Non-ASCII and a slash, so that a body that is serialised again differs in every style but the compact one. */
export const sampleMessage = '测试消息 / This is a test message.';
const content = { id: 1, title: sampleMessage };

/** Sample data by event, for test messages. */
export const sampleValues: Record<EventName, Json> = {
  'content.publish': content,
  'content.update': content,
  'content.delete': content,
  'form.submit': { id: 1, form: 'test', fields: { message: sampleMessage } },
  'comment.created': { id: 1, author: 'test', text: sampleMessage },
  'publish.complete': { message: sampleMessage, pages: 1, version: 1 },
  'publish.failed': { message: sampleMessage },
};
