import { isObject, type Json, jsonIn } from '../../openapi/json.ts';
import type { OperationId } from '../../openapi/operations.ts';
import type { JournalExchange } from '../http/journal.ts';
import type { Answer } from '../http/render-envelope.ts';
import { after, always, both, changeAt, combineWraps, faultsOf, not, type Wrap } from './fault.ts';
import type { Memory } from './memory.ts';
import { wrapAuthentication } from './wrap-calls.ts';

const isOversize = isRefusedFor('body is larger');
const isMalformedJson = isRefusedFor('is not JSON');
const isMalformedLogin = both(isAnswerTo('login'), isMalformedJson);
const isLimited = isRefusedFor(' a minute for this tenant');
const isRefusalOf = (operation: OperationId) => both(isAnswerTo(operation), not(isSuccess));
const isByKey: AnswerTest = ({ exchange }) => /^Bearer +sp_/i.test(exchange.headers.authorization ?? '');
const isAboutMistakes: AnswerTest = ({ envelope }) => /; /.test(String(envelope.message));
const isOfTenant: AnswerTest = ({ exchange }) => exchange.tenantId !== undefined;
/** A world's first tenant has id 1. */
const isOfLaterTenant: AnswerTest = ({ exchange }) => (exchange.tenantId ?? 1) > 1;
const isOfOperation: AnswerTest = ({ exchange }) => exchange.operation !== undefined;
const isLaterPage: AnswerTest = ({ exchange }) => /page=[^1]/.test(exchange.url);
const namesSiteByLetters: AnswerTest = ({ exchange }) => /\/sites\/[a-z]+\//.test(exchange.url);
const hasNoMembers: AnswerTest = ({ envelope: { data } }) =>
  !isObject(data) || Object.keys(data).length === 0;
const listOf = ({ data }: Json) => (isObject(data) && Array.isArray(data.list) ? data.list : undefined);
const isList: AnswerTest = ({ envelope }) => listOf(envelope) !== undefined;
const isEmptyList: AnswerTest = ({ envelope }) => listOf(envelope)?.length === 0;

const oneLess = (total: unknown) => Number(total) - 1;

export const envelopeFaults = faultsOf({
  'ENV-1 no-trace-id-on-404: Answers with status 404 have no trace_id.': () =>
    setMember(hasStatus(404), 'trace_id', undefined),
  'ENV-1 code-as-text-for-oversize-bodies: The code of the answer to a body that is too large is a string.':
    () => changeMember(isOversize, 'code', String),
  'ENV-1 fraction-as-code-of-wrong-password: The code of a rejected login is not an integer.': () =>
    changeMember(isRefusalOf('login'), 'code', (code) => Number(code) + 0.5),
  'ENV-1 no-message-when-limited: The answer to a rate-limited call has no message.': () =>
    setMember(isLimited, 'message', undefined),
  'ENV-1 trace-id-as-number-for-later-tenants: The trace_id is a number, except for the first tenant.': () =>
    changeMember(isOfLaterTenant, 'trace_id', (id) => Number.parseInt(String(id), 16)),
  'ENV-1 message-as-list-for-several-mistakes: The message about a body with several mistakes is a list.':
    () => changeMember(both(not(isSuccess), isAboutMistakes), 'message', (text) => String(text).split('; ')),
  'ENV-2 message-ok-on-refresh: A renewal is answered with the message "ok".': () =>
    setMember(isSuccessOf('refresh'), 'message', 'ok'),
  'ENV-2 success-capitalised-for-api-keys: Callers with an API key are answered with the message "Success".':
    () => setMember(both(isByKey, isSuccess), 'message', 'Success'),
  'ENV-2 message-created-on-creations: The creation of an API key is answered with the message "created".':
    () => setMember(isSuccessOf('createKey'), 'message', 'created'),
  'ENV-2 message-ok-on-deletions-of-subscriptions: The deletion of a subscription is answered with the message "ok".':
    () => setMember(isSuccessOf('deleteSubscription'), 'message', 'ok'),
  'ENV-2 message-no-records-on-empty-lists: An empty list is answered with the message "no records".': () =>
    setMember(isEmptyList, 'message', 'no records'),
  'ENV-3 blank-message-on-malformed-json: The message about a body that is not JSON is blank.': () =>
    setMember(isMalformedJson, 'message', ' '),
  'ENV-3 success-as-message-of-oversize-bodies: The message about a body that is too large is "success".':
    () => setMember(isOversize, 'message', 'success'),
  'ENV-3 success-as-message-of-full-quota: The message that rejects a sixth API key is "success".': () =>
    setMember(isRefusalOf('createKey'), 'message', 'success'),
  'ENV-3 success-capitalised-as-message-of-foreign-sites: The message about a site that does not exist is "Success".':
    () => setMember(isRefusedFor('there is no site'), 'message', 'Success'),
  'ENV-3 empty-message-of-expired-tokens: The message about a token that has expired is empty.': () =>
    setMember(isRefusedFor('token expired'), 'message', ''),
  'ENV-3 empty-message-on-malformed-login: The message about a login whose body is not JSON is empty.': () =>
    setMember(isMalformedLogin, 'message', ''),
  'ENV-4 trace-id-by-target-of-tests: All tests of one subscription have the same trace_id.': () =>
    changeMember(isAnswerTo('testSubscription'), 'trace_id', (_id, { exchange }) =>
      Buffer.from(exchange.url).toString('hex').slice(-16),
    ),
  'ENV-4 empty-trace-id-on-401: Answers with status 401 have an empty trace_id.': () =>
    setMember(hasStatus(401), 'trace_id', ''),
  'ENV-4 trace-id-by-number-within-tenant: The trace_id counts the calls of each tenant, so two tenants get the same ones.':
    ({ memory }) =>
      changeMember(isOfTenant, 'trace_id', (_id, { exchange }) => `t-${countUp(memory, exchange.tenantId)}`),
  'ENV-4 trace-id-of-refusals-by-kind: All answers to calls without Authorization have the same trace_id.':
    () => setMember(isRefusedFor('header is missing'), 'trace_id', 'anonymous'),
  'ENV-4 trace-id-after-a-hundred-answers-again: The trace_id repeats after a hundred answers.': ({
    memory,
  }) => changeMember(always, 'trace_id', () => `trace-${countUp(memory) % 100}`),
  'ENV-4 trace-id-of-latest-arrival: An answer has the trace_id of the latest request, which may be a different one.':
    ({ memory }, arrivals = memory.map<number>('counts')) =>
      combineWraps(
        changeMember(isOfOperation, 'trace_id', () => `arrival-${arrivals.get('') ?? 0}`),
        wrapAuthentication('all', (_access, next) => {
          countUp(memory);
          return next();
        }),
      ),
  'ENV-5 data-null-after-test: The data of the answer to a test is null.': () =>
    setMember(isSuccessOf('testSubscription'), 'data', null),
  'ENV-5 empty-data-as-list: Empty data is an empty list, as in PHP.': () =>
    setMember(both(isSuccess, hasNoMembers), 'data', []),
  'ENV-5 no-data-after-deletion-of-subscription: The answer to the deletion of a subscription has no data.':
    () => setMember(isSuccessOf('deleteSubscription'), 'data', undefined),
  'ENV-5 data-null-after-deletion-of-key: The data of the answer to the deletion of an API key is null.':
    () => setMember(isSuccessOf('deleteKey'), 'data', null),
  'ENV-5 data-as-text-after-deletion-of-site: The data of the answer to the deletion of a site is a string.':
    () => setMember(isSuccessOf('deleteSite'), 'data', 'deleted'),
  'ENV-6 total-one-short: The total of the list of sites is one too low.': () =>
    changeMember(isAnswerTo('listSites'), 'data.total', oneLess),
  'ENV-6 total-one-short-in-push-log: The total of the push log is one too low.': () =>
    changeMember(isAnswerTo('listDeliveries'), 'data.total', oneLess),
  'ENV-6 total-as-text-in-list-of-keys: The total of the list of API keys is a string.': () =>
    changeMember(isAnswerTo('listKeys'), 'data.total', String),
  'ENV-6 total-one-short-in-list-of-subscriptions: The total of the list of subscriptions is one too low.':
    () => changeMember(isAnswerTo('listSubscriptions'), 'data.total', oneLess),
  'ENV-6 total-zero-on-later-pages: The total of the push log is 0 on all pages after the first.': () =>
    setMember(both(isAnswerTo('listDeliveries'), isLaterPage), 'data.total', 0),
  'ENV-6 empty-list-as-null: An empty list is null.': () => setMember(isEmptyList, 'data.list', null),
  'ENV-6 empty-list-without-total: An empty list has no total.': () =>
    setMember(isEmptyList, 'data.total', undefined),
  'ENV-7 html-for-oversize-bodies: A body that is too large gets an HTML page, as from a proxy.': () =>
    answerAs(isOversize, 'text/html', '<h1>413 Request Entity Too Large</h1>'),
  'ENV-7 json-as-plain-text-on-malformed-json (remark other-json-type): The answer to a body that is not JSON is declared as plain text.':
    () => changeAnswer(isMalformedJson, () => ({ headers: { 'content-type': 'text/plain' } })),
  'ENV-7 html-for-site-id-of-letters: A site identifier with letters gets an HTML page, as from a router.':
    () => answerAs(namesSiteByLetters, 'text/html', '<h1>Not Found</h1>'),
  'ENV-7 html-for-malformed-login: A login whose body is not JSON gets an HTML page.': () =>
    answerAs(isMalformedLogin, 'text/html', '<h1>Bad Request</h1>'),
  'ENV-7 byte-order-mark-before-lists (remark byte-order-mark): Lists start with a byte order mark, which JSON does not allow.':
    () => changeAnswer(isList, ({ answer }) => ({ body: `\uFEFF${answer.body}` })),
  'ENV-7 latin-1-in-list-of-sites: The list of sites writes é as one byte of Latin-1, which is not UTF-8.':
    () =>
      changeAnswer(isSuccessOf('listSites'), ({ answer }) => ({
        body: Buffer.from(answer.body).toString('latin1').replaceAll('\xc3\xa9', '\xe9'),
        encoding: 'latin1',
      })),
  'ENV-7 plain-text-when-limited: A rate-limited call gets a plain text answer, as from a gateway.': () =>
    answerAs(isLimited, 'text/plain', 'Too Many Requests'),
});

interface OutgoingAnswer {
  exchange: JournalExchange;
  answer: Answer;
  envelope: Json;
}

type AnswerTest = (outgoing: OutgoingAnswer) => boolean;

/** Skips answers that another fault has turned into something else than a JSON object. */
export function changeAnswer(when: AnswerTest, change: (outgoing: OutgoingAnswer) => Partial<Answer>): Wrap {
  return after('answer', (answer, _service, exchange) => {
    const envelope = jsonIn(answer.body);
    if (!isObject(envelope)) return answer;
    const outgoing = { exchange, answer, envelope };
    return when(outgoing) ? { ...answer, ...change(outgoing) } : answer;
  });
}

/** `path` leads to a member of the envelope, such as `data.total`; undefined removes it. */
export function changeMember(
  when: AnswerTest,
  path: string,
  change: (value: unknown, outgoing: OutgoingAnswer) => unknown,
): Wrap {
  return changeAnswer(when, (outgoing) => ({
    body: JSON.stringify(changeAt(outgoing.envelope, path, (value) => change(value, outgoing))),
  }));
}

export function setMember(when: AnswerTest, path: string, value: unknown): Wrap {
  return changeMember(when, path, () => value);
}

function isSuccess({ envelope }: OutgoingAnswer): boolean {
  return envelope.code === 0;
}

function hasStatus(status: number): AnswerTest {
  return ({ answer }) => answer.status === status;
}

export function isAnswerTo(operation: OperationId): AnswerTest {
  return ({ exchange }) => exchange.operation === operation;
}

export function isSuccessOf(operation: OperationId): AnswerTest {
  return both(isAnswerTo(operation), isSuccess);
}

export function isRefusedFor(words: string): AnswerTest {
  return ({ exchange }) => exchange.refusal?.includes(words) ?? false;
}

/** Answers as a proxy or gateway in front of the service. */
function answerAs(when: AnswerTest, type: string, body: string): Wrap {
  return changeAnswer(when, () => ({ headers: { 'content-type': type }, body }));
}

function countUp(memory: Memory, key: number | string = ''): number {
  const counts = memory.map<number>('counts');
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}
