// @module-tag nightly
// Temporary 5xx and 429 answers do not mislead a discovery; permanent ones count as refusals.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { profileWith } from '../../mock/testing/open-mock.ts';
import { discoverMock } from './discover-mock.ts';
import { htmlPage, isAbout, jsonOf, refusing } from './tampering.ts';
import type { Message, Reply, Tamper } from './tampering-proxy.ts';

const alone = { options: { arrivalMs: 400 } };

const warming = {
  status: 503,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"code":10503,"message":"upstream is warming up, try again"}'),
};
const page = htmlPage(502, '<html><h1>502 Bad Gateway</h1> the endpoint is missing</html>');
const busy = { ...page, status: 503, headers: { ...page.headers, 'retry-after': '1' } };
const failed = { ...warming, status: 500, body: Buffer.from('{"code":50000,"message":"type is required"}') };

/** Answers the first matching requests instead of the deployment. */
function once(reply: Reply, isMeant: (message: Message) => boolean, times = 1): Tamper {
  let left = times;
  return async (message, forward) => (isMeant(message) && left-- > 0 ? reply : forward(message));
}

const isEmptyCreation = ({ path, body }: Message) => path.endsWith('/webhooks') && body.toString() === '{}';
const isCreation = ({ path, body }: Message) => path.endsWith('/webhooks') && 'channel' in jsonOf(body);
const isRenewal = ({ path, headers }: Message) => path.endsWith('/refresh') && 'authorization' in headers;
const isSubscriptionTest = ({ path }: Message) => path.endsWith('/test');
const hasShortSecret = ({ body }: Message) => jsonOf(body).secret === 's3cr3t';

const whole = discoverMock(alone);
const wholeWithPaths = discoverMock({ ...alone, knows: 'paths' });

/** Findings that only appear without failures. */
function lacking(plain: { found: readonly string[] }, found: readonly string[]): string[] {
  return plain.found.filter((id) => !found.includes(id));
}

test.concurrent.for<[what: string, reply: Reply, isMeant: (message: Message) => boolean]>([
  ['503 to the empty creation', warming, isEmptyCreation],
  ['500 to the empty creation', failed, isEmptyCreation],
  ['502 to a creation', page, isCreation],
  ['503 with Retry-After to a creation', busy, isCreation],
  ['503 to a renewal', warming, isRenewal],
  ['502 to a test', page, isSubscriptionTest],
  ['503 to a short secret', warming, hasShortSecret],
])('is not misled by one %s', async ([, reply, isMeant]) => {
  const { differences, found, profile, stopped } = await discoverMock({
    ...alone,
    tamper: once(reply, isMeant),
  });
  expect({ differences, stopped }).toEqual({ differences: [], stopped: undefined });
  expect(profile).not.toContain('--receiver-url');
  expect(lacking(await whole, found)).toEqual([]);
});

test.concurrent('takes only a repeated 503 for the key quota', async () => {
  const { differences, stopped, profile, leftovers } = await discoverMock({
    ...alone,
    knows: 'paths',
    tamper: once(warming, isAbout('POST', /\/api-keys$/)),
  });
  expect({ differences, stopped }).toEqual({ differences: [], stopped: undefined });
  expect(profile).not.toContain('10503');
  expect(leftovers.filter(({ what }) => what === 'API key')).toEqual([]);
  const spoken = profileWith({ 'errors.http-status': { 'key-quota': 503 } });
  const lasting = await discoverMock({ ...alone, knows: 'paths', spoken });
  expect(lasting.differences).toEqual([]);
  expect(lasting.profile).toMatch(/key-quota: 503/);
});

test.concurrent('does not treat a permanent 429 as a refusal of a value', async () => {
  const { differences, missed } = await discoverMock({ ...alone, tamper: refusing(hasShortSecret, 429) });
  expect(differences).toEqual([]);
  expect(missed).toContain('subscription.secret-rule');
});

test.concurrent.for([30, 17, 11])('finds as much if every %ith request gets 503', async (nth) => {
  let count = 0;
  const { differences, found, stopped, profile } = await discoverMock({
    ...alone,
    knows: 'paths',
    tamper: async (message, forward) => (++count % nth === 0 ? warming : forward(message)),
  });
  expect({ differences, stopped }).toEqual({ differences: [], stopped: undefined });
  expect(profile).not.toContain('--receiver-url');
  expect(profile).not.toContain('10503');
  expect(lacking(await wholeWithPaths, found)).toEqual([]);
});

const answerMs = 1_200;
/** Interrupt after this many creations. */
const creations = 5;

test('deletes all subscriptions after an interruption, even if answers are slow', {
  timeout: 180_000,
}, async () => {
  const interruption = new AbortController();
  let created = 0;
  let interruptedAt = 0;
  const tamper: Tamper = async (message, forward) => {
    const reply = await forward(message);
    const isCreated = message.path.endsWith('/webhooks') && jsonOf(reply.body).code === 0;
    if (isCreated && message.method === 'POST' && ++created === creations) {
      interruptedAt = performance.now();
      interruption.abort();
    }
    await sleep(answerMs);
    return reply;
  };
  const { leftovers, stopped } = await discoverMock({
    knows: 'paths',
    tamper,
    options: { signal: interruption.signal },
    afterwards: async (mock) => {
      expect(mock.control.requests({ operation: 'deleteSubscription' }).total).toBeGreaterThanOrEqual(3);
    },
  });
  expect(stopped?.kind).toBe('interrupted');
  expect(leftovers).toEqual([]);
  expect(performance.now() - interruptedAt).toBeLessThan(20_000);
});
