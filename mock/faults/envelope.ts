import type { Fault } from './fault.ts';
import {
  changingAnswers,
  changingEnvelopes,
  dataOf,
  isByKey,
  isSuccess,
  isTo,
  type Leaving,
  withMembers,
} from './wrap-answers.ts';

/** Of what every answer looks like. */
export const envelopeFaults: readonly Fault[] = [
  {
    id: 'no-trace-id-on-404',
    title: 'Answers of status 404 have no trace_id.',
    requirement: 'ENV-1',
    wrap: withMembers(({ answer }) => answer.status === 404, { trace_id: undefined }),
  },
  {
    id: 'code-as-text-for-oversize-bodies',
    title: 'The code of the answer to a body that is too large is a string.',
    requirement: 'ENV-1',
    wrap: changingEnvelopes(isOversize, (envelope) => ({ ...envelope, code: String(envelope.code) })),
  },
  {
    id: 'message-ok-on-refresh',
    title: 'A renewal is answered with the message "ok".',
    requirement: 'ENV-2',
    wrap: withMembers((leaving) => isTo('refresh')(leaving) && isSuccess(leaving), { message: 'ok' }),
  },
  {
    id: 'success-capitalised-for-api-keys',
    title: 'Callers with an API key are answered with the message "Success".',
    requirement: 'ENV-2',
    wrap: withMembers((leaving) => isByKey(leaving) && isSuccess(leaving), { message: 'Success' }),
  },
  {
    id: 'blank-message-on-malformed-json',
    title: 'The message about a body that is not JSON is blank.',
    requirement: 'ENV-3',
    wrap: withMembers(({ exchange }) => /is not JSON/.test(exchange.refusal ?? ''), { message: ' ' }),
  },
  {
    id: 'success-as-message-of-oversize-bodies',
    title: 'The message about a body that is too large is "success".',
    requirement: 'ENV-3',
    wrap: withMembers(isOversize, { message: 'success' }),
  },
  {
    id: 'trace-id-by-target-of-tests',
    title: 'All tests of one subscription have the same trace_id.',
    requirement: 'ENV-4',
    wrap: changingEnvelopes(isTo('testSubscription'), (envelope, { exchange }) => ({
      ...envelope,
      trace_id: Buffer.from(exchange.url).toString('hex').slice(-16),
    })),
  },
  {
    id: 'empty-trace-id-on-401',
    title: 'Answers of status 401 have an empty trace_id.',
    requirement: 'ENV-4',
    wrap: withMembers(({ answer }) => answer.status === 401, { trace_id: '' }),
  },
  {
    id: 'data-null-after-test',
    title: 'The data of the answer to a test is null.',
    requirement: 'ENV-5',
    wrap: withMembers((leaving) => isTo('testSubscription')(leaving) && isSuccess(leaving), { data: null }),
  },
  {
    id: 'empty-data-as-list',
    title: 'Data without members is written as an empty list, as PHP does.',
    requirement: 'ENV-5',
    wrap: withMembers((leaving) => isSuccess(leaving) && Object.keys(dataOf(leaving.envelope)).length === 0, {
      data: [],
    }),
  },
  {
    id: 'total-one-short',
    title: 'The total of the list of sites is one short.',
    requirement: 'ENV-6',
    wrap: changingEnvelopes(isTo('listSites'), shortenTotal),
  },
  {
    id: 'total-one-short-in-push-log',
    title: 'The total of the push log is one short.',
    requirement: 'ENV-6',
    wrap: changingEnvelopes(isTo('listDeliveries'), shortenTotal),
  },
  {
    id: 'total-as-text-in-list-of-keys',
    title: 'The total of the list of API keys is a string.',
    requirement: 'ENV-6',
    wrap: changingEnvelopes(isTo('listKeys'), (envelope) => ({
      ...envelope,
      data: { ...dataOf(envelope), total: String(dataOf(envelope).total) },
    })),
  },
  {
    id: 'html-for-oversize-bodies',
    title: 'A body that is too large is answered with an HTML page, as a proxy in front does.',
    requirement: 'ENV-7',
    wrap: changingAnswers(isOversize, () => ({
      headers: { 'content-type': 'text/html' },
      body: '<html><head><title>413 Request Entity Too Large</title></head></html>',
    })),
  },
  {
    id: 'json-as-plain-text-on-malformed-json',
    title: 'The answer to a body that is not JSON is declared as plain text.',
    requirement: 'ENV-7',
    wrap: changingAnswers(
      ({ exchange }) => /is not JSON/.test(exchange.refusal ?? ''),
      () => ({ headers: { 'content-type': 'text/plain' } }),
    ),
  },
];

function isOversize({ exchange }: Leaving): boolean {
  return /body is larger/.test(exchange.refusal ?? '');
}

function shortenTotal(envelope: Record<string, unknown>): object {
  const data = dataOf(envelope);
  return { ...envelope, data: { ...data, total: Number(data.total) - 1 } };
}
