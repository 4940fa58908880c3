import { expect, test } from 'vitest';
import { NotVerified, PromiseBroken } from '../core/outcomes.ts';
import { pushAt } from '../testing.ts';
import { attemptsOf } from './attempts.ts';
import type { Push, Receiver } from './push-receiver.ts';
import { requireArrival } from './wait-for-push.ts';

test('counts pushes close together as one attempt', () => {
  expect(timesOf([push(0, 1), push(1, 1), push(60, 1), push(61, 1), push(360, 1)])).toEqual([0, 60, 360]);
});

test('excludes pushes that another subscription got from another cause', () => {
  const elsewhere = [push(0, 1), push(30, 2)];
  expect(timesOf([push(0, 1), push(30, 2), push(60, 1), push(90, 2)], { elsewhere })).toEqual([0, 60]);
});

test('uses the content of a reference, in any order of arrival', () => {
  const [reference, elsewhere] = [push(5, 1), [push(0, 2), push(5, 1)]];
  expect(timesOf([push(0, 2), push(60, 1)], { reference, elsewhere })).toEqual([60]);
});

test('represents pushes close together by the one that equals the reference', () => {
  const [greeting, first] = [raw(0, 'hello'), push(1, 1)];
  expect(attemptsOf([greeting, first], { reference: push(2, 1) })).toEqual([
    { arrived: greeting.arrived, push: first },
  ]);
});

test('counts a retry with other content than the first attempt', () => {
  expect(timesOf([push(0, 1), raw(60, '{}')], { elsewhere: [push(0, 1)] })).toEqual([0, 60]);
});

test('compares whole bodies without data', () => {
  const elsewhere = [raw(0, 'one'), raw(60, 'other')];
  expect(timesOf([raw(0, 'one'), raw(60, 'other'), raw(120, 'one')], { elsewhere })).toEqual([0, 120]);
});

test('finds no attempts without pushes', () => {
  expect(attemptsOf([])).toEqual([]);
});

function timesOf(pushes: readonly Push[], witnesses?: Parameters<typeof attemptsOf>[1]): number[] {
  return attemptsOf(pushes, witnesses).map(({ arrived }) => arrived.from / 1000);
}

function push(second: number, version: number): Push {
  return raw(second, JSON.stringify({ timestamp: second, data: { version } }));
}

function raw(second: number, text: string): Push {
  return pushAt(second * 1000, text);
}

test.each([
  [false, PromiseBroken, 'a push about publish.complete'],
  [true, NotVerified, 'possibly this one: a push about publish.complete'],
])('reports a missing push, unless the receiver refused one: %s', async (hasRefused, kind, text) => {
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
