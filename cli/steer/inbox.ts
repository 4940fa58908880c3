import { visibleLines } from '../../contract-tests/core/visible-text.ts';
import { redactAddress } from '../../mock/control/redact-request.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { shown, timeOfDay } from '../output/note-lines.ts';
import { indentJson } from '../receiver/print-push.ts';
import { inboxNamed } from './inbox-named.ts';
import { listAndFollow } from './list-and-follow.ts';
import { readPages } from './read-pages.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub mock inbox NAME`: what came to a built-in webhook receiver. */
export const inbox = steerCommand(show);

type StreamedMessage = Schemas['Message'] & { inbox?: string };

function show(steering: Steering): Promise<number> {
  const { mock, words } = steering;
  const path = inboxNamed(words[0] ?? '');
  const { name } = path;
  return listAndFollow<StreamedMessage>(steering, {
    list: () => readPages(mock, 'messages', (query) => mock.GET('/inbox/{name}/messages', { path, query })),
    event: 'message',
    isWanted: (message) => message.inbox === name,
    keyOf: ({ id, at }) => `${id} ${at}`,
    toLines: describe,
    none: `nothing has come to this inbox yet; its address is ${mock.url}/inbox/${encodeURIComponent(name)}`,
  });
}

function describe({
  id,
  at,
  method,
  path,
  verified,
  answer,
  body,
  body_base64: base64,
}: Schemas['Message']): string[] {
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

const explanations = { timeout: 'not answered', reset: 'connection reset' };
