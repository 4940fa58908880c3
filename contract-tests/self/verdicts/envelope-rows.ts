import { profileWith } from '../../../mock/testing/open-mock.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { accepted, answering, any, callOf } from '../tampering.ts';
import type { Tamper } from '../tampering-proxy.ts';
import { row, type VerdictRow } from './verdict-row.ts';

/** Successful calls take effect a little later. */
const answeredLater: Tamper = async (message, forward) => {
  const reply = await forward(message);
  return accepted(callOf(message, reply))
    ? { ...reply, status: 202, headers: { ...reply.headers, 'retry-after': '1' } }
    : reply;
};

const marked: Tamper = async (message, forward) => {
  const { body, ...reply } = await forward(message);
  return { ...reply, body: Buffer.concat([Buffer.from('\uFEFF'), body]) };
};

const ofAnswers = { tier: 'full', cases: 4, only: ['ENV-1', 'ENV-4', 'ENV-7', 'LOGIN-1'] } as const;

export const envelopeRows: readonly VerdictRow[] = [
  row('errors with other statuses than the profile says', { passes: ['HOOK-9', 'AUTH-1', 'HOOK-7'] }, () => ({
    spoken: profileWith({
      'errors.http-status': { 'invalid-request': 418, unauthenticated: 500, 'unknown-site': 200 },
    }),
    told: loadProfile('default'),
    options: { tier: 'full', cases: 4 },
  })),
  row(
    'answers with a byte order mark before their JSON',
    { passes: ['ENV-1', 'ENV-7', 'LOGIN-1', 'IDEM-1', 'LOG-1'], remarks: ['byte-order-mark'] },
    () => ({ tamper: () => marked, options: { tier: 'full', cases: 0 } }),
  ),
  row(
    'successes with a Retry-After header, for example running publishes',
    { passes: ['IDEM-2', 'EVENT-11', 'LIMIT-5', 'LIMIT-6'] },
    () => ({
      tamper: () => answeredLater,
      options: { tier: 'full', only: ['IDEM-2', 'EVENT-11', 'LIMIT-5', 'LIMIT-6'], cases: 0 },
    }),
  ),
  row(
    'one trace_id for all calls',
    { fails: ['ENV-4'], verifies: ['LIMIT-1', 'LIMIT-2', 'LIMIT-6'] },
    () => ({
      tamper: () => answering(any, (body) => ({ ...body, trace_id: 'the-one' })),
      options: { tier: 'full', only: ['ENV-4', 'LIMIT-1', 'LIMIT-2', 'LIMIT-6'], cases: 4 },
    }),
  ),
  ...['html-outside', 'nothing-outside'].map((variation) =>
    row(
      `unknown paths and methods answered outside the envelope: ${variation}`,
      { passes: ['ENV-1', 'ENV-7'], remarks: ['outside-the-endpoints'] as const },
      () => ({ variations: [variation], options: { tier: 'full', only: ['ENV-1', 'ENV-7'] } as const }),
    ),
  ),
  row('a publish by GET that repeats its first trace_id', { passes: ['ENV-4', 'EVENT-11'] }, () => ({
    spoken: profileWith({
      'idempotency.trace': 'same',
      'operation.publish-site': {
        method: 'GET',
        path: '/tenant/sites/{siteID}/publish',
        version: '/data/version',
      },
    }),
    options: { tier: 'full', cases: 4 },
  })),
  ...['text-json', 'untyped-answers'].map<VerdictRow>((variation) =>
    row(
      `JSON answers with another media type: ${variation}`,
      { passes: ['ENV-1', 'ENV-7', 'LOGIN-1'], remarks: ['other-json-type'] },
      () => ({ variations: [variation], options: ofAnswers }),
    ),
  ),
  ...['html-outside', 'nothing-outside'].map<VerdictRow>((variation) =>
    row(`other answers to unknown paths: ${variation}`, { passes: ['ENV-1', 'ENV-7'] }, () => ({
      variations: [variation],
      options: { tier: 'full', cases: 4 },
    })),
  ),
];
