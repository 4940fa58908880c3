// The commands that show what came to a running mock: `sitepub mock requests` and `sitepub mock inbox`.
import { visibleLines } from '../../contract-tests/core/visible-text.ts';
import { redactAddress } from '../../mock/control/redact-request.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { requestLine, shown, timeOfDay } from '../output/note-lines.ts';
import { indentJson } from '../receiver/print-push.ts';
import { inboxNamed, readPages } from './control-calls.ts';
import { listAndFollow } from './list-and-follow.ts';
import { steerCommand } from './steer-command.ts';

/** `sitepub mock requests`: what the service was asked, and what it answered. */
export const requests = steerCommand((steering) => {
  const { mock, given, paint } = steering;
  const operation = given.text('operation');
  return listAndFollow<Schemas['Request']>(steering, {
    list: () =>
      readPages(mock, 'requests', (page) => mock.GET('/requests', { query: { operation, ...page } })),
    event: 'request',
    isWanted: (request) => operation === undefined || operation === request.operation,
    keyOf: ({ id }) => String(id),
    toLines: (request) => [requestLine(request, paint)],
    none: 'there are no requests',
  });
});

type StreamedMessage = Schemas['Message'] & { inbox?: string };

/** `sitepub mock inbox NAME`: what came to a built-in webhook receiver. */
export const inbox = steerCommand(async (steering) => {
  const { mock, words } = steering;
  const path = inboxNamed(words[0] ?? '');
  const { name } = path;
  await listAndFollow<StreamedMessage>(steering, {
    list: () => readPages(mock, 'messages', (query) => mock.GET('/inbox/{name}/messages', { path, query })),
    event: 'message',
    isWanted: (message) => message.inbox === name,
    keyOf: ({ id, at }) => `${id} ${at}`,
    toLines: messageLines,
    none: `this inbox is empty; its URL is ${mock.url}/inbox/${encodeURIComponent(name)}`,
  });
});

const explanations = { timeout: 'not answered', reset: 'connection reset' };

function messageLines(message: Schemas['Message']): string[] {
  const { id, at, method, path, verified, answer, body, body_base64: base64 } = message;
  const head = [
    timeOfDay(at),
    `#${id}`,
    shown(`${method} ${redactAddress(path)}`.trim()),
    verified === undefined ? '' : verified ? 'verified' : 'NOT VERIFIED',
    'error' in answer ? explanations[answer.error] : `answered ${answer.status}`,
  ];
  const text = body === undefined ? `(not UTF-8, in Base64) ${base64}` : visibleLines(indentJson(body));
  return [head.filter(Boolean).join('  '), ...(text === '' ? [] : [text.replace(/^(?=.)/gm, '  ')]), ''];
}
