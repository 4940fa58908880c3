import { afterEach, expect, test, vi } from 'vitest';
import { createProgress, progressLine, reportWaits } from './progress.ts';

const now = Date.parse('2026-01-02T03:04:05Z');

afterEach(() => vi.useRealTimers());

function openStream(settings: object) {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  return { written, stream: { ...settings, write } as unknown as NodeJS.WriteStream };
}

test.for([
  [0, undefined, undefined, '0 checks done'],
  [1, undefined, undefined, '1 check done'],
  [1, 152, undefined, '1 of 152 checks done'],
  [1, 1, undefined, '1 of 1 check done'],
  [12, 152, 61_000, '12 of 152 checks done, waiting for a push (61 s left)'],
  [12, 152, 2_040_000, '12 of 152 checks done, waiting for a push (34 min left)'],
  [12, 152, -1, '12 of 152 checks done'],
] as const)('shows %i of %j checks with a wait of %j ms as "%s"', ([count, total, ms, want]) => {
  const waiting = ms === undefined ? undefined : { until: now + ms, what: 'a push' };
  expect(progressLine({ count, total, waiting, now })).toBe(want);
});

test.for([
  ['a pipe', { isTTY: false }, {}],
  ['CI', { isTTY: true }, { CI: 'true' }],
] as const)('reports only long waits to %s', ([, kind, environment]) => {
  const { written, stream } = openStream(kind);
  const progress = createProgress(stream, environment);
  expect([progress.onResult, progress.onSelected]).toEqual([undefined, undefined]);
  progress.onWait(Date.now() + 41_500, "another of the tenant's 10 logins a minute");
  progress.clear();
  expect(written).toEqual(["sitepub: waiting 42 s for another of the tenant's 10 logins a minute\n"]);
});

test('does not report short waits, and repeats the same wait after five minutes', () => {
  vi.useFakeTimers();
  const { written, stream } = openStream({});
  const say = reportWaits(stream);
  const waits: [seconds: number, wait: number, what: string][] = [
    [0, 2, 'a change'],
    [0, 60, 'a retry'],
    [60, 60, 'a retry'],
    [60, 1_800, 'another'],
    [300, 60, 'a retry'],
  ];
  for (const [seconds, wait, what] of waits) {
    vi.setSystemTime(now + seconds * 1_000);
    say(Date.now() + wait * 1_000, what);
  }
  const said = ['1 min for a retry', '30 min for another', '1 min for a retry'];
  expect(written).toEqual(said.map((what) => `sitepub: waiting ${what}\n`));
});

test('redraws one line within the width of the terminal, and deletes it', () => {
  const { written, stream } = openStream({ isTTY: true, columns: 24 });
  const progress = createProgress(stream, {});
  progress.onSelected?.(3);
  progress.onWait(Date.now() + 90_000, 'the retries of a push');
  progress.clear();
  expect(written).toEqual([
    '\r\u001B[K0 of 3 checks done',
    '\r\u001B[K0 of 3 checks done, wai',
    '\r\u001B[K',
  ]);
});
