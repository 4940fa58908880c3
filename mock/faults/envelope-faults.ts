import type { Json } from '../../openapi/json.ts';
import type { OperationId } from '../../openapi/operations.ts';
import type { Answer } from '../http/render-envelope.ts';
import { combineWraps, faultsOf, remarked } from './fault.ts';
import {
  type AnswerTest,
  changeAnswer,
  changeData,
  changeEnvelope,
  dataOf,
  isAnswerTo,
  isRefusedFor,
  isSuccess,
  isSuccessOf,
  type OutgoingAnswer,
  setMembers,
} from './wrap-answers.ts';
import { wrapAuthentication } from './wrap-calls.ts';

const isOversize = isRefusedFor('body is larger');
const isMalformedJson = isRefusedFor('is not JSON');
const isLimited = isRefusedFor(' a minute for this tenant');

/** Faults in the envelope that all answers share. */
export const envelopeFaults = faultsOf({
  'ENV-1': {
    'no-trace-id-on-404: Answers of status 404 have no trace_id.': () =>
      setMembers(({ answer }) => answer.status === 404, { trace_id: undefined }),
    'code-as-text-for-oversize-bodies: The code of the answer to a body that is too large is a string.': () =>
      changeEnvelope(isOversize, ({ code }) => ({ code: String(code) })),
    'fraction-as-code-of-wrong-password: The code of the refusal of a login is no whole number.': () =>
      changeEnvelope(isRefusalOf('login'), ({ code }) => ({ code: Number(code) + 0.5 })),
    'no-message-when-limited: The answer to a call that is refused for its rate has no message.': () =>
      setMembers(isLimited, { message: undefined }),
    'trace-id-as-number-for-later-tenants: The trace_id is a number, except for the first tenant.': () =>
      changeEnvelope(isOfLaterTenant, ({ trace_id: traceId }) => ({
        trace_id: Number.parseInt(String(traceId), 16),
      })),
    'message-as-list-for-several-mistakes: The message about a body with more than one mistake is a list.':
      () =>
        changeEnvelope(
          (outgoing) => !isSuccess(outgoing) && String(outgoing.envelope.message).includes('; '),
          ({ message }) => ({ message: String(message).split('; ') }),
        ),
  },
  'ENV-2': {
    'message-ok-on-refresh: A renewal is answered with the message "ok".': () =>
      setMembers(isSuccessOf('refresh'), { message: 'ok' }),
    'success-capitalised-for-api-keys: Callers with an API key are answered with the message "Success".':
      () => setMembers((outgoing) => isByKey(outgoing) && isSuccess(outgoing), { message: 'Success' }),
    'message-created-on-creations: The creation of an API key is answered with the message "created".': () =>
      setMembers(isSuccessOf('createKey'), { message: 'created' }),
    'message-ok-on-deletions-of-subscriptions: The deletion of a subscription is answered with the message "ok".':
      () => setMembers(isSuccessOf('deleteSubscription'), { message: 'ok' }),
    'message-no-records-on-empty-lists: An empty list is answered with the message "no records".': () =>
      setMembers(isEmptyList, { message: 'no records' }),
  },
  'ENV-3': {
    'blank-message-on-malformed-json: The message about a body that is not JSON is blank.': () =>
      setMembers(isMalformedJson, { message: ' ' }),
    'success-as-message-of-oversize-bodies: The message about a body that is too large is "success".': () =>
      setMembers(isOversize, { message: 'success' }),
    'success-as-message-of-full-quota: The message about a sixth API key is "success".': () =>
      setMembers(isRefusalOf('createKey'), { message: 'success' }),
    'success-capitalised-as-message-of-foreign-sites: The message about a site that does not exist is "Success".':
      () => setMembers(isRefusedFor('there is no site'), { message: 'Success' }),
    'empty-message-of-expired-tokens: The message about a token that has expired is empty.': () =>
      setMembers(isRefusedFor('token expired'), { message: '' }),
    'empty-message-on-malformed-login: The message about a login whose body is not JSON is empty.': () =>
      setMembers(isMalformedLogin, { message: '' }),
  },
  'ENV-4': {
    'trace-id-by-target-of-tests: All tests of one subscription have the same trace_id.': () =>
      changeEnvelope(isAnswerTo('testSubscription'), (_envelope, { exchange }) => ({
        trace_id: Buffer.from(exchange.url).toString('hex').slice(-16),
      })),
    'empty-trace-id-on-401: Answers of status 401 have an empty trace_id.': () =>
      setMembers(({ answer }) => answer.status === 401, { trace_id: '' }),
    'trace-id-by-number-within-tenant: The trace_id counts the calls of the tenant, so that those of two tenants meet.':
      ({ memory }, counts = memory.map<number>('counts')) =>
        changeEnvelope(
          ({ exchange }) => exchange.tenantId !== undefined,
          (_envelope, { exchange: { tenantId = 0 } }) => {
            const count = (counts.get(tenantId) ?? 0) + 1;
            counts.set(tenantId, count);
            return { trace_id: `t-${count}` };
          },
        ),
    'trace-id-of-refusals-by-kind: Refusals without Authorization all have the same trace_id.': () =>
      setMembers(isRefusedFor('header is missing'), { trace_id: 'anonymous' }),
    'trace-id-after-a-hundred-answers-again: After a hundred answers the trace_ids begin again.': (
      { memory },
      answers = memory.value('answers', 0),
    ) =>
      changeEnvelope(
        () => true,
        () => {
          answers.set(answers.get() + 1);
          return { trace_id: `trace-${answers.get() % 100}` };
        },
      ),
    'trace-id-of-latest-arrival: An answer carries the trace_id of the latest request, which may be another one.':
      ({ memory }, arrivals = memory.value('arrivals', 0)) =>
        combineWraps(
          changeEnvelope(
            ({ exchange }) => exchange.operation !== undefined,
            () => ({ trace_id: `arrival-${arrivals.get()}` }),
          ),
          wrapAuthentication((_access, next) => {
            arrivals.set(arrivals.get() + 1);
            return next();
          }),
        ),
  },
  'ENV-5': {
    'data-null-after-test: The data of the answer to a test is null.': () =>
      setMembers(isSuccessOf('testSubscription'), { data: null }),
    'empty-data-as-list: Data without members is written as an empty list, as PHP does.': () =>
      setMembers((outgoing) => isSuccess(outgoing) && Object.keys(dataOf(outgoing.envelope)).length === 0, {
        data: [],
      }),
    'no-data-after-deletion-of-subscription: The answer to the deletion of a subscription has no data.': () =>
      setMembers(isSuccessOf('deleteSubscription'), { data: undefined }),
    'data-null-after-deletion-of-key: The data of the answer to the deletion of an API key is null.': () =>
      setMembers(isSuccessOf('deleteKey'), { data: null }),
    'data-as-text-after-deletion-of-site: The data of the answer to the deletion of a site is a text.': () =>
      setMembers(isSuccessOf('deleteSite'), { data: 'deleted' }),
  },
  'ENV-6': {
    'total-one-short: The total of the list of sites is one short.': () =>
      changeData(isAnswerTo('listSites'), shortenTotal),
    'total-one-short-in-push-log: The total of the push log is one short.': () =>
      changeData(isAnswerTo('listDeliveries'), shortenTotal),
    'total-as-text-in-list-of-keys: The total of the list of API keys is a string.': () =>
      changeData(isAnswerTo('listKeys'), ({ total }) => ({ total: String(total) })),
    'total-one-short-in-list-of-subscriptions: The total of the list of subscriptions is one short.': () =>
      changeData(isAnswerTo('listSubscriptions'), shortenTotal),
    'total-zero-on-later-pages: The total of the push log is 0 from the second page on.': () =>
      changeData(
        (outgoing) => isAnswerTo('listDeliveries')(outgoing) && /page=[^1]/.test(outgoing.exchange.url),
        () => ({ total: 0 }),
      ),
    'empty-list-as-null: A list without entries is null.': () =>
      changeData(isEmptyList, () => ({ list: null })),
    'empty-list-without-total: A list without entries has no total.': () =>
      changeData(isEmptyList, () => ({ total: undefined })),
  },
  'ENV-7': {
    'html-for-oversize-bodies: A body that is too large is answered with an HTML page, as a proxy in front does.':
      () =>
        changeAnswer(isOversize, () =>
          htmlPage('<html><head><title>413 Request Entity Too Large</title></head></html>'),
        ),
    'json-as-plain-text-on-malformed-json: The answer to a body that is not JSON is declared as plain text.':
      remarked('other-json-type', () =>
        changeAnswer(isMalformedJson, () => ({ headers: { 'content-type': 'text/plain' } })),
      ),
    'html-for-site-id-of-letters: A site that is named by letters is answered with an HTML page, as a router does.':
      () =>
        changeAnswer(
          ({ exchange }) => /\/sites\/[a-z]+\//.test(exchange.url),
          () => htmlPage('<h1>Not Found</h1>'),
        ),
    'html-for-malformed-login: A login whose body is not JSON is answered with an HTML page.': () =>
      changeAnswer(isMalformedLogin, () => htmlPage('<h1>Bad Request</h1>')),
    'byte-order-mark-before-lists: Lists begin with a byte order mark, which is not JSON.': remarked(
      'byte-order-mark',
      () =>
        changeAnswer(
          ({ envelope }) => Array.isArray(dataOf(envelope).list),
          ({ answer }) => ({ body: `\uFEFF${answer.body}` }),
        ),
    ),
    'latin-1-in-list-of-sites: The list of sites writes é as one byte of Latin-1, which is not UTF-8.': () =>
      changeAnswer(isSuccessOf('listSites'), ({ answer }) => ({
        body: Buffer.from(answer.body).toString('latin1').replaceAll('\xc3\xa9', '\xe9'),
        encoding: 'latin1',
      })),
    'plain-text-when-limited: A call that is refused for its rate is answered in plain text, as a gateway in front does.':
      () =>
        changeAnswer(isLimited, () => ({
          headers: { 'content-type': 'text/plain' },
          body: 'Too Many Requests',
        })),
  },
});

function isRefusalOf(operation: OperationId): AnswerTest {
  return (outgoing) => isAnswerTo(operation)(outgoing) && !isSuccess(outgoing);
}

function isMalformedLogin(outgoing: OutgoingAnswer): boolean {
  return isAnswerTo('login')(outgoing) && isMalformedJson(outgoing);
}

/** Whether the caller sent an API key. */
function isByKey({ exchange }: OutgoingAnswer): boolean {
  return /^Bearer +sp_/i.test(exchange.headers.authorization ?? '');
}

/** The first tenant of a world has the number 1. */
function isOfLaterTenant({ exchange }: OutgoingAnswer): boolean {
  return (exchange.tenantId ?? 1) > 1;
}

function isEmptyList({ envelope }: OutgoingAnswer): boolean {
  const { list } = dataOf(envelope);
  return Array.isArray(list) && list.length === 0;
}

function shortenTotal({ total }: Json): Json {
  return { total: Number(total) - 1 };
}

function htmlPage(body: string): Pick<Answer, 'headers' | 'body'> {
  return { headers: { 'content-type': 'text/html' }, body };
}
