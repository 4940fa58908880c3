import { expect, test } from 'vitest';
import { NotVerified, PromiseBroken } from '../core/outcomes.ts';
import type { Receiver } from './push-receiver.ts';
import { requireArrival } from './wait-for-push.ts';

test.each([
  [false, PromiseBroken, 'a push about publish.complete'],
  [true, NotVerified, 'it may have been this one: a push about publish.complete'],
])('what has not come is missing, unless a push was too long to read: %s', async (hasRefused, kind, text) => {
  let now = 0;
  const clock = {
    now: () => now,
    isMoved: true,
    settle: async () => {},
    pass: async (ms: number) => {
      now += ms;
    },
  };
  const context = {
    options: {},
    clock,
    receiver: { hasRefused: () => hasRefused } as Receiver,
    remarks: { add: () => {} },
    isLastLook: true,
  } as unknown as Parameters<typeof requireArrival>[0];
  const awaited = requireArrival(context, {
    find: () => undefined,
    since: 0,
    expected: text.replace(/^.*: /, ''),
  });
  const error = await awaited.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(kind);
  expect(`${(error as Error).message} ${JSON.stringify(error)}`).toContain(text);
});
