// @module-tag ci
// Deployments that are odd where something is created: a discovery goes on, creates no more than it said, and tells of all that it leaves.
import { expect, test } from 'vitest';
import { loadProfile, makeProfile, statedValues } from '../../openapi/profile.ts';
import { discoverMock } from './discover-mock.ts';
import { refuse } from './tampering.ts';
import type { Message, Tamper } from './tampering-proxy.ts';

const usual = loadProfile('default');
const keyed = makeProfile(
  {
    ...statedValues(usual),
    'idempotency.repetition': 'key-header',
    'idempotency.subscriptions': 'repeated',
  },
  { name: 'keyed', source: 'keyed.yaml' },
);

/** How many headers of a request have a key. */
const keysOf = ({ headers }: Message) =>
  ['idempotency-key', 'x-idempotency-key', 'x-request-id', 'x-request-key'].filter((name) => name in headers)
    .length;

const discoverWith = (tamper: Tamper, spoken = usual) =>
  discoverMock({ spoken, knows: 'paths', controls: true, tamper });

test('where a repetition with fewer headers is refused, it is said that there was one, and no header is named', async () => {
  const { values, missed, stopped } = await discoverWith(
    async (message, forward) => (keysOf(message) === 2 ? refuse(409, 40_900) : forward(message)),
    keyed,
  );
  expect(stopped).toBeUndefined();
  expect(values['idempotency.subscriptions']).toBe('repeated');
  expect(missed).toContain('idempotency.key-header');
});

test('a gateway that cuts each creation without a token hides no other mistake', async () => {
  const { values, stopped } = await discoverWith(async (message, forward) => {
    const isAnonymous = message.path.endsWith('/webhooks') && !message.headers.authorization;
    if (isAnonymous) throw Object.assign(new Error('cut'), { code: 'CUT' });
    return forward(message);
  });
  expect(stopped).toBeUndefined();
  expect(values['errors.codes']).toHaveProperty('unsupported-media-type');
});
