import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operationsOf, writeLayout } from '../../openapi/operations.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { profileNames } from '../testing/open-mock.ts';
import { type ApiError, rateLimited } from './api-errors.ts';
import { createJournal, type JournalExchange, journalBound } from './journal.ts';
import { arrivingBound, countArriving, forgetArriving, measureJson } from './read-body.ts';
import { createHttpDate, createSuccessWriter } from './render-envelope.ts';

test.each([
  [10_000, 10_000, 1],
  [11_000, 10_000, 1],
  [11_001, 10_000, 2],
])('a limit that frees at %i, exceeded at %i, has Retry-After %i', (until, now, seconds) => {
  expect(rateLimited('x', until, now).extra.retryAfter).toBe(seconds);
});

test('over the limit of all unfinished bodies, gives up the oldest first', () => {
  const givenUp: string[] = [];
  const bodyOf = (name: string) => (problem: ApiError) => void givenUp.push(`${name}: ${problem.kind}`);
  const [first, second, third] = [bodyOf('first'), bodyOf('second'), bodyOf('third')] as const;
  for (const body of [first, second, third]) countArriving(body, arrivingBound / 3);
  expect(givenUp).toEqual([]);
  countArriving(third, 1);
  expect(givenUp).toEqual(['first: request-timeout']);
  countArriving(second, arrivingBound / 3 - 1);
  expect(givenUp).toEqual(['first: request-timeout']);
  // Finished bodies do not count.
  for (const body of [first, second, second]) forgetArriving(body);
  countArriving(third, (arrivingBound / 3) * 2 - 1);
  expect(givenUp).toEqual(['first: request-timeout']);
  forgetArriving(third);
});

test.each([
  ['"a, [b] {c}"', 0, 0],
  ['"\\"," ', 0, 0],
  ['"\\\\",1', 1, 0],
  ['{"a":1,"b":[]}', 3, 2],
  ['[{"a":1},{"b":2}]', 4, 2],
  ['"never closed, [', 0, 0],
])('measures the JSON %s', (text, values, levels) => {
  expect(measureJson(text)).toEqual({ values, levels });
});

test('formats HTTP dates, even if the clock moves back', () => {
  const httpDate = createHttpDate();
  const start = Date.parse('2026-01-02T03:04:05.999Z');
  expect([start, start + 1, start + 3_600_000, start].map(httpDate)).toEqual([
    'Fri, 02 Jan 2026 03:04:05 GMT',
    'Fri, 02 Jan 2026 03:04:06 GMT',
    'Fri, 02 Jan 2026 04:04:05 GMT',
    'Fri, 02 Jan 2026 03:04:05 GMT',
  ]);
});

function exchange(values: Partial<JournalExchange>): JournalExchange {
  return { method: 'GET', url: '/', headers: {}, ...values } as JournalExchange;
}

test('the journal stores only the beginning of a long body', () => {
  const journal = createJournal(() => {});
  const body = '漢'.repeat(100_000);
  journal.add(exchange({ requestBody: body, answer: { status: 200, headers: {}, body } }));
  const [entry] = journal.entries();
  expect([entry?.exchange.requestBody?.length, entry?.exchange.answer?.body.length]).toEqual([8192, 8192]);
});

test('the journal stays below its limit of bytes', () => {
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

const value = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom('"\\\u2028', -0, Number.NaN, null, true, [], { a: undefined, b: [1] }),
);
const item = fc.dictionary(fc.constantFrom('id', 'name', 'state', 'url', 'at'), value);

test.each(profileNames)('%s: writes an answer as JSON.stringify writes its envelope', (profile) => {
  for (const operation of operationsOf(resolve(loadProfile(profile)))) {
    const { layout } = operation.success;
    const write = createSuccessWriter(operation);
    const values = fc.record({
      ...Object.fromEntries(Object.keys(layout.values).map((name) => [name, value])),
      list: fc.oneof(value, fc.array(item, { maxLength: 3 })),
    });
    fc.assert(
      fc.property(values, (given) => {
        const envelope = { code: 0, message: 'success', data: {}, trace_id: '4bf92f3577b34da6' };
        writeLayout(layout, given, envelope);
        expect(write(given, '4bf92f3577b34da6')).toBe(JSON.stringify(envelope));
      }),
      { numRuns: 30, seed: 1 },
    );
  }
});
