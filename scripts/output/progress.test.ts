import { expect, test } from 'vitest';
import { createProgress, progressLine } from './progress.ts';

const now = Date.parse('2026-01-02T03:04:05Z');

test.for([
  [0, undefined, '0 checks done'],
  [1, undefined, '1 check done'],
  [12, 61_000, '12 checks done, waiting for a push (61 s left)'],
  [12, 2_040_000, '12 checks done, waiting for a push (34 min left)'],
  [12, -1, '12 checks done'],
] as const)('after %i checks, with a wait of %j ms, it says "%s"', ([count, ms, want]) => {
  const waiting = ms === undefined ? undefined : { until: now + ms, what: 'a push' };
  expect(progressLine({ count, waiting, now })).toBe(want);
});

test.for([
  ['a pipe', { isTTY: false }, {}],
  ['CI', { isTTY: true }, { CI: 'true' }],
] as const)('nothing is drawn into %s', ([, stream, environment]) => {
  const progress = createProgress(stream as NodeJS.WriteStream, environment);
  expect(progress.onResult).toBeUndefined();
});

test('the line is drawn on a terminal, no wider than it, and taken away', () => {
  const drawn: string[] = [];
  const stream = { isTTY: true, columns: 24, write: (text: string) => drawn.push(text) };
  const progress = createProgress(stream as unknown as NodeJS.WriteStream, {});
  progress.onWait?.({ until: Date.now() + 90_000, what: 'the retries of a push' });
  progress.clear();
  expect(drawn).toEqual(['\r\u001B[K0 checks done, waiting ', '\r\u001B[K']);
});
