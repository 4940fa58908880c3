import { expect, test } from 'vitest';
import { createJournal, type JournalExchange, journalBound } from './journal.ts';

function exchange(values: Partial<JournalExchange> = {}): JournalExchange {
  return { method: 'GET', url: '/', headers: {}, ...values } as JournalExchange;
}

test('numbers the requests, and counts those it dropped', () => {
  const journal = createJournal(() => {});
  for (let count = 0; count < 2500; count++) journal.add(exchange());
  const entries = journal.entries();
  expect([entries.at(-1)?.id, entries[0]?.id]).toEqual([2500, journal.evicted() + 1]);
  expect(entries.length).toBeGreaterThanOrEqual(1000);
  expect(entries.length).toBeLessThan(1200);
});

test('removes one tenant’s requests, or all', () => {
  const journal = createJournal(() => {});
  for (const tenantId of [1, 2, 1]) journal.add(exchange({ tenantId }));
  journal.add(exchange());
  journal.clear(1);
  expect(journal.entries().map(({ id }) => id)).toEqual([2, 4]);
  journal.clear();
  expect(journal.entries()).toEqual([]);
});

test('keeps the beginning of a long body', () => {
  const journal = createJournal(() => {});
  const body = '漢'.repeat(100_000);
  journal.add(exchange({ requestBody: body, answer: { status: 200, headers: {}, body } }));
  const [entry] = journal.entries();
  expect([entry?.exchange.requestBody?.length, entry?.exchange.answer?.body.length]).toEqual([8192, 8192]);
});

test('keeps no more bytes than its bound, and says how many', () => {
  const journal = createJournal(() => {});
  const large = { cookie: 'x'.repeat(journalBound / 100) };
  for (let count = 0; count < 99; count++) journal.add(exchange({ headers: large }));
  expect([journal.entries().length, journal.evicted()]).toEqual([99, 0]);
  journal.add(exchange({ headers: large }));
  expect([journal.entries()[0]?.id, journal.entries().length, journal.evicted()]).toEqual([12, 89, 11]);
  expect(journal.bytes()).toBeGreaterThan(0.88 * journalBound);
  expect(journal.bytes()).toBeLessThanOrEqual(0.9 * journalBound);
  journal.clear();
  expect(journal.bytes()).toBe(0);
});
