// Holds each room to its budget of lines. To raise one, add a decision that says what users get for it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '');

const isCode = (path: string) => /\.(ts|tsx|mjs)$/.test(path) && !path.includes('/generated/');
const isTest = (path: string) =>
  /\.test\.ts$|\/(testing|self|fixtures)\/|testing\.ts$/.test(path) || path.startsWith('scripts/testing');
const linesOf = (path: string) => readFileSync(`${root}${path}`, 'utf8').split('\n').length - 1;

/** Lines of source, without tests and their helpers. */
const budgets: Record<string, { paths: RegExp; lines: number }> = {
  openapi: { paths: /^openapi\//, lines: 3_240 },
  'client and webhooks': { paths: /^(client|webhooks)\//, lines: 1_235 },
  mock: { paths: /^mock\//, lines: 18_630 },
  'learn and discover': { paths: /^contract-tests\/(learn|discover|findings)\//, lines: 5_800 },
  suite: { paths: /^contract-tests\/(?!learn|discover|findings)/, lines: 29_150 },
  'command line': { paths: /^cli\//, lines: 7_850 },
  tools: { paths: /^scripts\//, lines: 2_130 },
};

const sources = tracked.filter((path) => isCode(path) && !isTest(path));

test.for(Object.entries(budgets))('the sources of %s fit in their budget', ([, { paths, lines }]) => {
  const found = sources.filter((path) => paths.test(path));
  expect(found).not.toEqual([]);
  expect(sumOf(found)).toBeLessThanOrEqual(lines);
});

test('each source file but examples and set-up belongs to one room', () => {
  const roomsOf = (path: string) => Object.values(budgets).filter(({ paths }) => paths.test(path)).length;
  expect(sources.filter((path) => path.includes('/') && roomsOf(path) !== 1)).toEqual(
    sources.filter((path) => path.startsWith('examples/')),
  );
});

test('tests and their helpers fit in their budget', () => {
  const tests = tracked.filter((path) => isCode(path) && isTest(path) && !path.startsWith('examples/'));
  expect(sumOf(tests)).toBeLessThanOrEqual(43_000);
});

test('the checkout has few files, and the lock file few packages', () => {
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
  expect(tracked.length).toBeLessThanOrEqual(1_180);
  expect(Object.keys(packages).length - 1).toBeLessThanOrEqual(609);
});

/** Tables, whose rows may be many. */
const tables = /^mock\/faults\/[a-z-]+-faults\.ts$/;

/** Files that were longer when the limit came, with their lengths. They may only shrink. */
const tooLong: Record<string, number> = {
  'contract-tests/checks/retries/retries.ts': 370,
  'contract-tests/calls/delete-created.ts': 321,
};

test('no source file has more than 300 lines', () => {
  const long = sources.filter((path) => !tables.test(path) && linesOf(path) > (tooLong[path] ?? 300));
  expect(long).toEqual([]);
});

test('no file is named as too long that is not', () => {
  const short = Object.keys(tooLong).filter((path) => !tracked.includes(path) || linesOf(path) <= 300);
  expect(short).toEqual([]);
});

function sumOf(paths: readonly string[]): number {
  return paths.map(linesOf).reduce((sum, lines) => sum + lines, 0);
}
