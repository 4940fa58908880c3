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
  'ENV-1 no-trace-id-on-404: omits trace_id from answers with status 404': () =>
    setMember(hasStatus(404), 'trace_id', undefined),
  'ENV-1 code-as-text-for-oversize-bodies: answers a body that is too large with a string as code': () =>
    changeMember(isOversize, 'code', String),
  'ENV-1 fraction-as-code-of-wrong-password: answers a rejected login with a fraction as code': () =>
    changeMember(isRefusalOf('login'), 'code', (code) => Number(code) + 0.5),
  'ENV-1 no-message-when-limited: omits message when it rejects a rate-limited call': () =>
    setMember(isLimited, 'message', undefined),
  'ENV-1 trace-id-as-number-for-later-tenants: sends trace_id as a number to all tenants except the first':
    () => changeMember(isOfLaterTenant, 'trace_id', (id) => Number.parseInt(String(id), 16)),
  'ENV-1 message-as-list-for-several-mistakes: sends message as a list if a body has several mistakes': () =>
    changeMember(both(not(isSuccess), isAboutMistakes), 'message', (text) => String(text).split('; ')),
  'ENV-2 message-ok-on-refresh: answers a renewal with the message "ok"': () =>
    setMember(isSuccessOf('refresh'), 'message', 'ok'),
  'ENV-2 success-capitalised-for-api-keys: answers calls with an API key with the message "Success"': () =>
    setMember(both(isByKey, isSuccess), 'message', 'Success'),
  'ENV-2 message-created-on-creations: answers the creation of an API key with the message "created"': () =>
    setMember(isSuccessOf('createKey'), 'message', 'created'),
  'ENV-2 message-ok-on-deletions-of-subscriptions: answers the deletion of a subscription with the message "ok"':
    () => setMember(isSuccessOf('deleteSubscription'), 'message', 'ok'),
  'ENV-2 message-no-records-on-empty-lists: sends empty lists with the message "no records"': () =>
    setMember(isEmptyList, 'message', 'no records'),
  'ENV-3 blank-message-on-malformed-json: rejects a body that is not JSON with a blank message': () =>
    setMember(isMalformedJson, 'message', ' '),
  'ENV-3 success-as-message-of-oversize-bodies: rejects a body that is too large with the message "success"':
    () => setMember(isOversize, 'message', 'success'),
  'ENV-3 success-as-message-of-full-quota: rejects a sixth API key with the message "success"': () =>
    setMember(isRefusalOf('createKey'), 'message', 'success'),
  'ENV-3 success-capitalised-as-message-of-foreign-sites: rejects a call for an unknown site with the message "Success"':
    () => setMember(isRefusedFor('there is no site'), 'message', 'Success'),
  'ENV-3 empty-message-of-expired-tokens: rejects an expired token with an empty message': () =>
    setMember(isRefusedFor('token expired'), 'message', ''),
  'ENV-3 empty-message-on-malformed-login: rejects a login whose body is not JSON with an empty message':
    () => setMember(isMalformedLogin, 'message', ''),
  'ENV-4 trace-id-by-target-of-tests: sends the same trace_id for all tests of a subscription': () =>
    changeMember(isAnswerTo('testSubscription'), 'trace_id', (_id, { exchange }) =>
      Buffer.from(exchange.url).toString('hex').slice(-16),
    ),
  'ENV-4 empty-trace-id-on-401: sends an empty trace_id with status 401': () =>
    setMember(hasStatus(401), 'trace_id', ''),
  'ENV-4 trace-id-by-number-within-tenant: numbers the calls per tenant, so two tenants get the same trace_id':
    ({ memory }) =>
      changeMember(isOfTenant, 'trace_id', (_id, { exchange }) => `t-${countUp(memory, exchange.tenantId)}`),
  'ENV-4 trace-id-of-refusals-by-kind: sends the same trace_id for all calls without Authorization': () =>
    setMember(isRefusedFor('header is missing'), 'trace_id', 'anonymous'),
  'ENV-4 trace-id-after-a-hundred-answers-again: repeats trace_id values after a hundred answers': ({
    memory,
  }) => changeMember(always, 'trace_id', () => `trace-${countUp(memory) % 100}`),
  'ENV-4 trace-id-of-latest-arrival: answers with the trace_id of the latest request, which may be another one':
    ({ memory }, arrivals = memory.map<number>('counts')) =>
      combineWraps(
        changeMember(isOfOperation, 'trace_id', () => `arrival-${arrivals.get('') ?? 0}`),
        wrapAuthentication('all', (_access, next) => {
          countUp(memory);
          return next();
        }),
      ),
  'ENV-5 data-null-after-test: answers the test of a subscription with null as data': () =>
    setMember(isSuccessOf('testSubscription'), 'data', null),
  'ENV-5 empty-data-as-list: sends empty data as an empty list, as in PHP': () =>
    setMember(both(isSuccess, hasNoMembers), 'data', []),
  'ENV-5 no-data-after-deletion-of-subscription: omits data when it deletes a subscription': () =>
    setMember(isSuccessOf('deleteSubscription'), 'data', undefined),
  'ENV-5 data-null-after-deletion-of-key: answers the deletion of an API key with null as data': () =>
    setMember(isSuccessOf('deleteKey'), 'data', null),
  'ENV-5 data-as-text-after-deletion-of-site: answers the deletion of a site with a string as data': () =>
    setMember(isSuccessOf('deleteSite'), 'data', 'deleted'),
  'ENV-6 total-one-short: lists sites with a total that is one too low': () =>
    changeMember(isAnswerTo('listSites'), 'data.total', oneLess),
  'ENV-6 total-one-short-in-push-log: shows the push log with a total that is one too low': () =>
    changeMember(isAnswerTo('listDeliveries'), 'data.total', oneLess),
  'ENV-6 total-as-text-in-list-of-keys: lists API keys with a string as total': () =>
    changeMember(isAnswerTo('listKeys'), 'data.total', String),
  'ENV-6 total-one-short-in-list-of-subscriptions: lists subscriptions with a total that is one too low':
    () => changeMember(isAnswerTo('listSubscriptions'), 'data.total', oneLess),
  'ENV-6 total-zero-on-later-pages: shows the total 0 on all pages of the push log except the first': () =>
    setMember(both(isAnswerTo('listDeliveries'), isLaterPage), 'data.total', 0),
  'ENV-6 empty-list-as-null: sends null instead of an empty list': () =>
    setMember(isEmptyList, 'data.list', null),
  'ENV-6 empty-list-without-total: omits total from empty lists': () =>
    setMember(isEmptyList, 'data.total', undefined),
  'ENV-7 html-for-oversize-bodies: answers a body that is too large with an HTML page, like a proxy': () =>
    answerAs(isOversize, 'text/html', '<h1>413 Request Entity Too Large</h1>'),
  'ENV-7 json-as-plain-text-on-malformed-json (remark other-json-type): declares its answer as plain text if a body is not JSON':
    () => changeAnswer(isMalformedJson, () => ({ headers: { 'content-type': 'text/plain' } })),
  'ENV-7 html-for-site-id-of-letters: answers a site identifier with letters with an HTML page, like a router':
    () => answerAs(namesSiteByLetters, 'text/html', '<h1>Not Found</h1>'),
  'ENV-7 html-for-malformed-login: answers a login whose body is not JSON with an HTML page': () =>
    answerAs(isMalformedLogin, 'text/html', '<h1>Bad Request</h1>'),
  'ENV-7 byte-order-mark-before-lists (remark byte-order-mark): sends a byte order mark before lists, which JSON does not allow':
    () => changeAnswer(isList, ({ answer }) => ({ body: `\uFEFF${answer.body}` })),
  'ENV-7 latin-1-in-list-of-sites: writes é in the list of sites in Latin-1 instead of UTF-8': () =>
    changeAnswer(isSuccessOf('listSites'), ({ answer }) => ({
      body: Buffer.from(answer.body).toString('latin1').replaceAll('\xc3\xa9', '\xe9'),
      encoding: 'latin1',
    })),
  'ENV-7 plain-text-when-limited: answers a rate-limited call in plain text, like a gateway': () =>
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
