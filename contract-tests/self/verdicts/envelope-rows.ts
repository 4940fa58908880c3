import { loadProfile, makeProfile, statedValues } from '../../../openapi/profile.ts';
import { accepted, answering, any, callOf } from '../tampering.ts';
import type { Tamper } from '../tampering-proxy.ts';
import type { VerdictRow } from './verdict-row.ts';

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
  {
    behaviour: 'errors with other statuses than the profile says',
    run: () => ({
      spoken: makeProfile(
        {
          ...statedValues(loadProfile('default')),
          'errors.http-status': { 'invalid-request': 418, unauthenticated: 500, 'unknown-site': 200 },
        },
        { name: 'other statuses', source: 'test' },
      ),
      told: loadProfile('default'),
      options: { tier: 'full', cases: 4 },
    }),
    passes: ['HOOK-9', 'AUTH-1', 'HOOK-7'],
  },
  {
    behaviour: 'answers with a byte order mark before their JSON',
    run: () => ({ tamper: () => marked, options: { tier: 'full', cases: 0 } }),
    passes: ['ENV-1', 'ENV-7', 'LOGIN-1', 'IDEM-1', 'LOG-1'],
    remarks: ['byte-order-mark'],
  },
  {
    behaviour: 'successes with a Retry-After header, for example running publishes',
    run: () => ({
      tamper: () => answeredLater,
      options: { tier: 'full', only: ['IDEM-2', 'EVENT-11', 'LIMIT-5', 'LIMIT-6'], cases: 0 },
    }),
    passes: ['IDEM-2', 'EVENT-11', 'LIMIT-5', 'LIMIT-6'],
  },
  {
    behaviour: 'one trace_id for all calls',
    run: () => ({
      tamper: () => answering(any, (body) => ({ ...body, trace_id: 'the-one' })),
      options: { tier: 'full', only: ['ENV-4', 'LIMIT-1', 'LIMIT-2', 'LIMIT-6'], cases: 4 },
    }),
    fails: ['ENV-4'],
    verifies: ['LIMIT-1', 'LIMIT-2', 'LIMIT-6'],
  },
  ...['html-outside', 'nothing-outside'].map((variation) => ({
    behaviour: `unknown paths and methods answered outside the envelope: ${variation}`,
    run: () => ({ variations: [variation], options: { tier: 'full', only: ['ENV-1', 'ENV-7'] } as const }),
    passes: ['ENV-1', 'ENV-7'],
    remarks: ['outside-the-endpoints'] as const,
  })),
  {
    behaviour: 'a publish by GET that repeats its first trace_id',
    run: () => ({
      spoken: makeProfile(
        {
          ...statedValues(loadProfile('default')),
          'idempotency.trace': 'same',
          'operation.publish-site': {
            method: 'GET',
            path: '/tenant/sites/{siteID}/publish',
            version: '/data/version',
          },
        },
        { name: 'publish by GET', source: 'test' },
      ),
      options: { tier: 'full', cases: 4 },
    }),
    passes: ['ENV-4', 'EVENT-11'],
  },
  ...['text-json', 'untyped-answers'].map<VerdictRow>((variation) => ({
    behaviour: `JSON answers with another media type: ${variation}`,
    run: () => ({ variations: [variation], options: ofAnswers }),
    passes: ['ENV-1', 'ENV-7', 'LOGIN-1'],
    remarks: ['other-json-type'],
  })),
  ...['html-outside', 'nothing-outside'].map<VerdictRow>((variation) => ({
    behaviour: `other answers to unknown paths: ${variation}`,
    run: () => ({ variations: [variation], options: { tier: 'full', cases: 4 } }),
    passes: ['ENV-1', 'ENV-7'],
  })),
];
