import { expect, test } from 'vitest';
import { attemptsOf } from './attempts.ts';
import type { Push } from './receiver.ts';

test('takes pushes that come together for one attempt', () => {
  expect(timesOf([push(0, 1), push(1, 1), push(60, 1), push(61, 1), push(360, 1)])).toEqual([0, 60, 360]);
});

test('leaves out what is said by deliveries of another cause', () => {
  expect(timesOf([push(0, 1), push(30, 2), push(60, 1), push(90, 2)])).toEqual([0, 60]);
});

test('takes the attempts at the same delivery as a reference, whatever came first', () => {
  const pushes = [push(0, 2), push(60, 1)];
  expect(attemptsOf(pushes, push(5, 1)).map(({ arrived }) => arrived.from / 1000)).toEqual([60]);
});

test('compares whole bodies where there is no data', () => {
  expect(timesOf([raw(0, 'one'), raw(60, 'other'), raw(120, 'one')])).toEqual([0, 120]);
});

test('finds none among no pushes', () => {
  expect(attemptsOf([])).toEqual([]);
});

function timesOf(pushes: readonly Push[]): number[] {
  return attemptsOf(pushes).map(({ arrived }) => arrived.from / 1000);
}

function push(second: number, version: number): Push {
  return raw(second, JSON.stringify({ timestamp: second, data: { version } }));
}

function raw(second: number, text: string): Push {
  const at = second * 1000;
  return {
    method: 'POST',
    path: '/1',
    search: '',
    headers: {},
    body: Buffer.from(text),
    at,
    arrived: { from: at, to: at },
  };
}
