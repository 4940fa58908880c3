import type { Json } from '../../openapi/json.ts';
import type { OperationId } from '../../openapi/operations.ts';
import type { Answer } from '../http/render-envelope.ts';
import { combineWraps, type Fault, withMemory } from './fault.ts';
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
export const envelopeFaults: readonly Fault[] = [
  {
    id: 'no-trace-id-on-404',
    title: 'Answers of status 404 have no trace_id.',
    requirement: 'ENV-1',
    wrap: setMembers(({ answer }) => answer.status === 404, { trace_id: undefined }),
  },
  {
    id: 'code-as-text-for-oversize-bodies',
    title: 'The code of the answer to a body that is too large is a string.',
    requirement: 'ENV-1',
    wrap: changeEnvelope(isOversize, ({ code }) => ({ code: String(code) })),
  },
  {
    id: 'fraction-as-code-of-wrong-password',
    title: 'The code of the refusal of a login is no whole number.',
    requirement: 'ENV-1',
    wrap: changeEnvelope(isRefusalOf('login'), ({ code }) => ({ code: Number(code) + 0.5 })),
  },
  {
    id: 'no-message-when-limited',
    title: 'The answer to a call that is refused for its rate has no message.',
    requirement: 'ENV-1',
    wrap: setMembers(isLimited, { message: undefined }),
  },
  {
    id: 'trace-id-as-number-for-later-tenants',
    title: 'The trace_id is a number, except for the first tenant.',
    requirement: 'ENV-1',
    wrap: changeEnvelope(isOfLaterTenant, ({ trace_id: traceId }) => ({
      trace_id: Number.parseInt(String(traceId), 16),
    })),
  },
  {
    id: 'message-as-list-for-several-mistakes',
    title: 'The message about a body with more than one mistake is a list.',
    requirement: 'ENV-1',
    wrap: changeEnvelope(
      (outgoing) => !isSuccess(outgoing) && String(outgoing.envelope.message).includes('; '),
      ({ message }) => ({ message: String(message).split('; ') }),
    ),
  },
  {
    id: 'message-ok-on-refresh',
    title: 'A renewal is answered with the message "ok".',
    requirement: 'ENV-2',
    wrap: setMembers(isSuccessOf('refresh'), { message: 'ok' }),
  },
  {
    id: 'success-capitalised-for-api-keys',
    title: 'Callers with an API key are answered with the message "Success".',
    requirement: 'ENV-2',
    wrap: setMembers((outgoing) => isByKey(outgoing) && isSuccess(outgoing), { message: 'Success' }),
  },
  {
    id: 'message-created-on-creations',
    title: 'The creation of an API key is answered with the message "created".',
    requirement: 'ENV-2',
    wrap: setMembers(isSuccessOf('createKey'), { message: 'created' }),
  },
  {
    id: 'message-ok-on-deletions-of-subscriptions',
    title: 'The deletion of a subscription is answered with the message "ok".',
    requirement: 'ENV-2',
    wrap: setMembers(isSuccessOf('deleteSubscription'), {
      message: 'ok',
    }),
  },
  {
    id: 'message-no-records-on-empty-lists',
    title: 'An empty list is answered with the message "no records".',
    requirement: 'ENV-2',
    wrap: setMembers(isEmptyList, { message: 'no records' }),
  },
  {
    id: 'blank-message-on-malformed-json',
    title: 'The message about a body that is not JSON is blank.',
    requirement: 'ENV-3',
    wrap: setMembers(isMalformedJson, { message: ' ' }),
  },
  {
    id: 'success-as-message-of-oversize-bodies',
    title: 'The message about a body that is too large is "success".',
    requirement: 'ENV-3',
    wrap: setMembers(isOversize, { message: 'success' }),
  },
  {
    id: 'success-as-message-of-full-quota',
    title: 'The message about a sixth API key is "success".',
    requirement: 'ENV-3',
    wrap: setMembers(isRefusalOf('createKey'), { message: 'success' }),
  },
  {
    id: 'success-capitalised-as-message-of-foreign-sites',
    title: 'The message about a site that does not exist is "Success".',
    requirement: 'ENV-3',
    wrap: setMembers(isRefusedFor('there is no site'), {
      message: 'Success',
    }),
  },
  {
    id: 'empty-message-of-expired-tokens',
    title: 'The message about a token that has expired is empty.',
    requirement: 'ENV-3',
    wrap: setMembers(isRefusedFor('token expired'), { message: '' }),
  },
  {
    id: 'empty-message-on-malformed-login',
    title: 'The message about a login whose body is not JSON is empty.',
    requirement: 'ENV-3',
    wrap: setMembers(isMalformedLogin, { message: '' }),
  },
  {
    id: 'trace-id-by-target-of-tests',
    title: 'All tests of one subscription have the same trace_id.',
    requirement: 'ENV-4',
    wrap: changeEnvelope(isAnswerTo('testSubscription'), (_envelope, { exchange }) => ({
      trace_id: Buffer.from(exchange.url).toString('hex').slice(-16),
    })),
  },
  {
    id: 'empty-trace-id-on-401',
    title: 'Answers of status 401 have an empty trace_id.',
    requirement: 'ENV-4',
    wrap: setMembers(({ answer }) => answer.status === 401, { trace_id: '' }),
  },
  {
    id: 'trace-id-by-number-within-tenant',
    title: 'The trace_id counts the calls of the tenant, so that those of two tenants meet.',
    requirement: 'ENV-4',
    wrap: withMemory((memory, counts = memory.map<number>('counts')) =>
      changeEnvelope(
        ({ exchange }) => exchange.tenantId !== undefined,
        (_envelope, { exchange: { tenantId = 0 } }) => {
          const count = (counts.get(tenantId) ?? 0) + 1;
          counts.set(tenantId, count);
          return { trace_id: `t-${count}` };
        },
      ),
    ),
  },
  {
    id: 'trace-id-of-refusals-by-kind',
    title: 'Refusals without Authorization all have the same trace_id.',
    requirement: 'ENV-4',
    wrap: setMembers(isRefusedFor('header is missing'), {
      trace_id: 'anonymous',
    }),
  },
  {
    id: 'trace-id-after-a-hundred-answers-again',
    title: 'After a hundred answers the trace_ids begin again.',
    requirement: 'ENV-4',
    wrap: withMemory((memory, answers = memory.value('answers', 0)) =>
      changeEnvelope(
        () => true,
        () => {
          answers.set(answers.get() + 1);
          return { trace_id: `trace-${answers.get() % 100}` };
        },
      ),
    ),
  },
  {
    id: 'trace-id-of-latest-arrival',
    title: 'An answer carries the trace_id of the latest request, which may be another one.',
    requirement: 'ENV-4',
    wrap: withMemory((memory, arrivals = memory.value('arrivals', 0)) =>
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
    ),
  },
  {
    id: 'data-null-after-test',
    title: 'The data of the answer to a test is null.',
    requirement: 'ENV-5',
    wrap: setMembers(isSuccessOf('testSubscription'), { data: null }),
  },
  {
    id: 'empty-data-as-list',
    title: 'Data without members is written as an empty list, as PHP does.',
    requirement: 'ENV-5',
    wrap: setMembers(
      (outgoing) => isSuccess(outgoing) && Object.keys(dataOf(outgoing.envelope)).length === 0,
      { data: [] },
    ),
  },
  {
    id: 'no-data-after-deletion-of-subscription',
    title: 'The answer to the deletion of a subscription has no data.',
    requirement: 'ENV-5',
    wrap: setMembers(isSuccessOf('deleteSubscription'), {
      data: undefined,
    }),
  },
  {
    id: 'data-null-after-deletion-of-key',
    title: 'The data of the answer to the deletion of an API key is null.',
    requirement: 'ENV-5',
    wrap: setMembers(isSuccessOf('deleteKey'), { data: null }),
  },
  {
    id: 'data-as-text-after-deletion-of-site',
    title: 'The data of the answer to the deletion of a site is a text.',
    requirement: 'ENV-5',
    wrap: setMembers(isSuccessOf('deleteSite'), { data: 'deleted' }),
  },
  {
    id: 'total-one-short',
    title: 'The total of the list of sites is one short.',
    requirement: 'ENV-6',
    wrap: changeData(isAnswerTo('listSites'), shortenTotal),
  },
  {
    id: 'total-one-short-in-push-log',
    title: 'The total of the push log is one short.',
    requirement: 'ENV-6',
    wrap: changeData(isAnswerTo('listDeliveries'), shortenTotal),
  },
  {
    id: 'total-as-text-in-list-of-keys',
    title: 'The total of the list of API keys is a string.',
    requirement: 'ENV-6',
    wrap: changeData(isAnswerTo('listKeys'), ({ total }) => ({ total: String(total) })),
  },
  {
    id: 'total-one-short-in-list-of-subscriptions',
    title: 'The total of the list of subscriptions is one short.',
    requirement: 'ENV-6',
    wrap: changeData(isAnswerTo('listSubscriptions'), shortenTotal),
  },
  {
    id: 'total-zero-on-later-pages',
    title: 'The total of the push log is 0 from the second page on.',
    requirement: 'ENV-6',
    wrap: changeData(
      (outgoing) => isAnswerTo('listDeliveries')(outgoing) && /page=[^1]/.test(outgoing.exchange.url),
      () => ({ total: 0 }),
    ),
  },
  {
    id: 'empty-list-as-null',
    title: 'A list without entries is null.',
    requirement: 'ENV-6',
    wrap: changeData(isEmptyList, () => ({ list: null })),
  },
  {
    id: 'empty-list-without-total',
    title: 'A list without entries has no total.',
    requirement: 'ENV-6',
    wrap: changeData(isEmptyList, () => ({ total: undefined })),
  },
  {
    id: 'html-for-oversize-bodies',
    title: 'A body that is too large is answered with an HTML page, as a proxy in front does.',
    requirement: 'ENV-7',
    wrap: changeAnswer(isOversize, () =>
      htmlPage('<html><head><title>413 Request Entity Too Large</title></head></html>'),
    ),
  },
  {
    id: 'json-as-plain-text-on-malformed-json',
    title: 'The answer to a body that is not JSON is declared as plain text.',
    requirement: 'ENV-7',
    remark: 'other-json-type',
    wrap: changeAnswer(isMalformedJson, () => ({ headers: { 'content-type': 'text/plain' } })),
  },
  {
    id: 'html-for-site-id-of-letters',
    title: 'A site that is named by letters is answered with an HTML page, as a router does.',
    requirement: 'ENV-7',
    wrap: changeAnswer(
      ({ exchange }) => /\/sites\/[a-z]+\//.test(exchange.url),
      () => htmlPage('<h1>Not Found</h1>'),
    ),
  },
  {
    id: 'html-for-malformed-login',
    title: 'A login whose body is not JSON is answered with an HTML page.',
    requirement: 'ENV-7',
    wrap: changeAnswer(isMalformedLogin, () => htmlPage('<h1>Bad Request</h1>')),
  },
  {
    id: 'byte-order-mark-before-lists',
    title: 'Lists begin with a byte order mark, which is not JSON.',
    requirement: 'ENV-7',
    remark: 'byte-order-mark',
    wrap: changeAnswer(
      ({ envelope }) => Array.isArray(dataOf(envelope).list),
      ({ answer }) => ({ body: `\uFEFF${answer.body}` }),
    ),
  },
  {
    id: 'latin-1-in-list-of-sites',
    title: 'The list of sites writes é as one byte of Latin-1, which is not UTF-8.',
    requirement: 'ENV-7',
    wrap: changeAnswer(isSuccessOf('listSites'), ({ answer }) => ({
      body: Buffer.from(answer.body).toString('latin1').replaceAll('\xc3\xa9', '\xe9'),
      encoding: 'latin1',
    })),
  },
  {
    id: 'plain-text-when-limited',
    title: 'A call that is refused for its rate is answered in plain text, as a gateway in front does.',
    requirement: 'ENV-7',
    wrap: changeAnswer(isLimited, () => ({
      headers: { 'content-type': 'text/plain' },
      body: 'Too Many Requests',
    })),
  },
];

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
