// What is recorded of the last kill matrix: it fits the faults and checks of today, and the page and the ratchet say the same.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checks } from '../../contract-tests/checks/index.ts';
import { faults } from '../../mock/faults/faults.ts';
import type { Kill } from './kill-matrix.ts';
import { tallyOf, unbrokenChecks } from './ratchet.ts';
import { pageOf } from './render-page.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const kills: Kill[] = JSON.parse(read('./matrix.json'));

test('every fault stands in the matrix, as `npm run prove` records it', () => {
  const pairs = (list: readonly { id: string; requirement: string }[]) =>
    list.map(({ id, requirement }) => [id, requirement]);
  expect(pairs(kills.map(({ fault, requirement }) => ({ id: fault, requirement })))).toEqual(pairs(faults));
});

test('the matrix names no check that is gone', () => {
  const known = checks.map(({ id }) => id);
  expect(kills.flatMap((kill) => kill.checks).filter((id) => !known.includes(id))).toEqual([]);
});

test('every fault was caught, and every check is broken by one', () => {
  expect(kills.filter(({ verdict }) => verdict !== 'caught')).toEqual([]);
  expect(unbrokenChecks(kills, checks)).toEqual([]);
});

test('the page is made of the matrix', () => {
  expect(read('../../docs/how-good-is-the-suite.md')).toBe(pageOf(kills));
});

test('the ratchet holds what the matrix comes to', () => {
  expect(JSON.parse(read('./ratchet.json'))).toEqual(tallyOf(kills, checks));
});

test('the page tells what was missed, what went wrong beside, and what no fault breaks', () => {
  const [first, second, ...rest] = kills;
  if (!first || !second) throw new Error('the matrix is empty');
  const page = pageOf([
    { ...first, verdict: 'missed', failed: [], checks: [] },
    { ...second, verdict: 'misattributed', failed: ['KEY-1'] },
    ...rest.map((kill) => ({ ...kill, checks: kill.checks.filter((id) => id !== 'key-1-form') })),
  ]);
  expect(page).toContain(
    `- \`${first.fault}\` is missed: it breaks ${first.requirement}; nothing fails.\n- \`${second.fault}\` is misattributed: it breaks ${second.requirement}; KEY-1 fails.`,
  );
  expect(page).toContain(`| ${faults.length} | ${faults.length - 2} | 1 | 1 | `);
});
