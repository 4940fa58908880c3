import { profileWith } from '../../../mock/testing/open-mock.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { accepted, answering, any, callOf, htmlPage, isAbout, isCreation } from '../tampering.ts';
import type { Message, Tamper } from '../tampering-proxy.ts';
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

/** A gateway answers one call, or each nth one, instead of the deployment. */
function gatewayAt(isMeant: (message: Message) => boolean, number: number, { isEach = false } = {}): Tamper {
  let count = 0;
  return (message, forward) => {
    const isTurn = isMeant(message) && (++count === number || (isEach && count % number === 0));
    return isTurn ? htmlPage(502, '<html><h1>502 Bad Gateway</h1></html>') : forward(message);
  };
}

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
    row(
      `unknown paths and methods answered outside the envelope: ${variation}`,
      { passes: ['ENV-1', 'ENV-7'], remarks: ['outside-the-endpoints'] },
      () => ({ variations: [variation], options: { tier: 'full', cases: 4 } }),
    ),
  ),
  row('a gateway that answers the first login', { passes: ['LOGIN-1', 'HOOK-1'] }, () => ({
    tamper: () => gatewayAt(isAbout('POST', /\/login$/), 1),
    options: { only: ['LOGIN-1', 'HOOK-1'] },
  })),
  ...[3, 20, 50, 90].map<VerdictRow>((count) =>
    row(
      `a gateway that answers creation ${count} of a subscription`,
      { passes: ['LOGIN-1', 'ENV-7'] },
      () => ({ tamper: () => gatewayAt(isCreation, count), options: { tier: 'full', cases: 4 } }),
    ),
  ),
  row('a gateway that answers every tenth creation of a subscription', { fails: ['ENV-7'] }, () => ({
    tamper: () => gatewayAt(isCreation, 10, { isEach: true }),
    options: { tier: 'full', cases: 4 },
  })),
];
