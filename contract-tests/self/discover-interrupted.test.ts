// @module-tag nightly
// A discovery that is interrupted takes away what it created, also where each answer takes longer than a second.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { discoverMock } from './discover-mock.ts';
import { jsonOf } from './tampering.ts';
import type { Tamper } from './tampering-proxy.ts';

const answerMs = 1_200;
/** At the last of so many creations it is interrupted. */
const creations = 5;

test('an interrupted discovery of a slow deployment leaves no subscription behind', {
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
