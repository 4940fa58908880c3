import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bySite } from './grouped-map.ts';

interface Entry {
  siteId: number;
  name: string;
}

const key = fc.integer({ min: 1, max: 6 });
const siteId = fc.integer({ min: 1, max: 3 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('set'), key, siteId, name: fc.string() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete'), key, siteId, name: fc.constant('') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear'), key, siteId, name: fc.constant('') }) },
);

test('has of each group what a look through all entries finds, in the same order', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const entries = bySite<number, Entry>();
      for (const one of steps) {
        if (one.kind === 'set') entries.set(one.key, { siteId: one.siteId, name: one.name });
        else if (one.kind === 'delete') entries.delete(one.key);
        else entries.clear();
        for (const site of [1, 2, 3])
          expect([...entries.of(site)]).toEqual([...entries].filter(([, entry]) => entry.siteId === site));
      }
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('takes the entries that it is made of, and has none of an unknown group', () => {
  const entries = bySite([[7, { siteId: 1, name: 'a' }]]);
  expect([entries.size, entries.of(1).get(7)?.name, entries.of(2).size]).toEqual([1, 'a', 0]);
});
