// @module-tag ci
import { expect, test } from 'vitest';
import { receiverChecks } from './checks/index.ts';
import { forgeableReceivers } from './testing/forgeable-receivers.ts';
import { decideRightly } from './testing/right-receiver.ts';
import { judge } from './testing/run.ts';
import { wrongReceivers } from './testing/wrong-receivers.ts';

const promises = ['RECV-1', 'RECV-2'];

test('passes a correct receiver without warnings', async () => {
  const { passed, warned } = await judge(decideRightly, { timeoutMs: 10_000 });
  expect(warned).toEqual([]);
  const all = receiverChecks.filter(({ requirement }) => requirement !== 'advice').map(({ id }) => id);
  expect(passed).toEqual(all);
});

test.for(wrongReceivers)('fails a receiver that $name', async ({ decide, traits, told, fails }) => {
  const { failed } = await judge(decide, { only: promises, ...told }, traits);
  expect(failed.toSorted()).toEqual(fails.toSorted());
});

test('fails a receiver that accepts everything in every check of RECV-2 only', async () => {
  const { failed } = await judge(() => 200, { only: promises });
  const wrong = receiverChecks.filter(({ requirement }) => requirement === 'RECV-2').map(({ id }) => id);
  expect(failed).toEqual(wrong);
});

test('recognizes a receiver that compares with upper-case hex', async () => {
  const { decide, told } = wrongReceivers.find(({ name }) => name === 'compares with upper case') ?? {};
  const { run } = await judge(decide ?? decideRightly, told);
  const [first] = run.results;
  expect(first?.result.actual).toMatch(/^HTTP 401; the receiver accepts the push with upper-case hex/);
  expect(run.results.at(-1)?.result.reason).toMatch(
    /^the receiver accepted no valid push \(HTTP 401; the receiver accepts/,
  );
});

test('recognizes a receiver that decodes each part of the body separately', async () => {
  const { decide } = wrongReceivers.find(({ name }) => name.startsWith('decodes each part')) ?? {};
  const { run } = await judge(decide ?? decideRightly, { only: ['recv-1-in-pieces'] });
  expect(run.results[0]?.result.actual).toBe(
    'HTTP 401; in one part it is accepted: join all bytes before you decode them',
  );
});

test.for(forgeableReceivers)('finds the flaw of a receiver that $name', async ({ decide, fails }) => {
  const { failed, warned } = await judge(decide, { only: fails });
  expect([...failed, ...warned]).toEqual(fails);
});
