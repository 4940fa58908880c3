// The table of docs/security.md is that of the last whole campaign, in which all that there is to try was tried.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { countOf, type Row } from './campaign.ts';
import { groups } from './groups.ts';
import { madeUp, withTable } from './security-table.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const page = read('../../docs/security.md');
const rows: Row[] = JSON.parse(read('record.json'));
/** Nothing is recorded before a whole campaign has held. */
const isRecorded = rows.length > 0;

test.skipIf(!isRecorded)('the table is made of the record (needs a whole campaign)', () => {
  expect(withTable(page, rows)).toBe(page);
});

test.skipIf(!isRecorded)('everything of the campaign was tried, and held (needs a whole campaign)', () => {
  const seeds = Array.from({ length: madeUp }, (_, seed) => seed);
  const wanted = groups.map((group) => {
    const tried = countOf(group.trials(seeds).filter((trial) => group.isDrawn?.(trial, seeds) ?? true));
    return { id: group.id, what: group.what, promise: group.promise, tried, held: tried };
  });
  expect(rows.map(({ id, what, promise, tried, held }) => ({ id, what, promise, tried, held }))).toEqual(
    wanted,
  );
});

test('a campaign has 35 hostile deployments, listed and made up, each against three commands', () => {
  const seeds = Array.from({ length: madeUp }, (_, index) => 7 + index);
  const tried = groups
    .filter(({ id }) => id === 'deployments' || id === 'generated')
    .flatMap((group) => group.trials(seeds).filter((trial) => group.isDrawn?.(trial, seeds) ?? true));
  expect(tried).toHaveLength(35 * 3);
});

test('all hostile deployments are drawn in some campaign or other', () => {
  const [deployments] = groups;
  const trials = deployments?.trials([]) ?? [];
  const seeds = Array.from({ length: 40 }, (_, seed) => seed);
  const drawn = trials.filter((trial) => seeds.some((seed) => deployments?.isDrawn?.(trial, [seed])));
  expect(drawn).toEqual(trials);
});

test('a page without a place for the table is refused', () => {
  expect(() => withTable('# Security\n', rows)).toThrow('docs/security.md has lost the lines');
});
