import { expect, test } from 'vitest';
import type { Context } from '../context.ts';
import type { SentRequest } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { settle } from '../core/settled.ts';
import type { Push } from '../push-receiver/push-receiver.ts';
import { pushAt } from '../testing.ts';
import { occurrenceAt } from './occurrences.ts';

const path = '/sitepub/r/1';
const event = 'publish.failed' as const;

test('takes the push after the second cause for the second one', async () => {
  const pushes = [pushed(30, 'one'), pushed(50, 'two')];
  expect(await occurrence(pushes, 'first')).toBe(pushes[0]);
  expect(await occurrence(pushes, 'again')).toBe(pushes[1]);
});

test('finds two different pushes if both come late', async () => {
  const pushes = [pushed(50, 'one'), pushed(51, 'one'), pushed(60, 'two')];
  expect(await occurrence(pushes, 'again')).toBe(pushes[2]);
});

test('accepts two identical pushes if both come late', async () => {
  const pushes = [pushed(50, 'news'), pushed(60, 'news')];
  expect(await occurrence(pushes, 'again')).toBe(pushes[1]);
});

test('misses the second push if only one comes late', async () => {
  expect(await occurrence([pushed(50, 'news')], 'again')).toBeUndefined();
});

/** Causes the event at 20 and at 40. */
async function occurrence(pushes: readonly Push[], round: 'first' | 'again'): Promise<Push | undefined> {
  const cause = async (order: number) =>
    new Map([
      [event, { at: order, order, call: await settle(() => Promise.reject(new NotVerified('lost'))) }],
    ]);
  const receiver = { everyPush: () => pushes, pushesTo: () => pushes };
  const values = { url: `https://hooks.test${path}`, siteID: 7, channel: 'custom' };
  const requests = [sent(0, 'createSubscription', values), sent(20, 'failPublish', { siteID: 7 })];
  const context = { requests, receiver, runId: 'r', exchanges: [] } as unknown as Context;
  const causes = { caused: await cause(20), recurred: await cause(40), isShared: false };
  return occurrenceAt(context, causes, { path, event, round });
}

function sent(order: number, operation: SentRequest['operation'], values: object): SentRequest {
  const exchange = { values: { id: 1 } } as unknown as NonNullable<SentRequest['exchange']>;
  return { operation, values: { ...values }, at: order, order, exchange, answeredAt: order };
}

function pushed(at: number, text: string): Push {
  return pushAt(at, text, path);
}
