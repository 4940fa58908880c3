// @module-tag ci
import { expect, test } from 'vitest';
import { receiverChecks } from './checks/index.ts';
import { forgeableReceivers } from './testing/forgeable-receivers.ts';
import { openReceiver } from './testing/open-receiver.ts';
import { decideRightly } from './testing/right-receiver.ts';
import { outcomesOf, secret } from './testing/run.ts';
import { wrongReceivers } from './testing/wrong-receivers.ts';

const promises = ['RECV-1', 'RECV-2'];

test('passes a correct receiver without warnings', async () => {
  await using receiver = await openReceiver(decideRightly, { secret });
  const { passed, warned } = await outcomesOf(receiver.url, { timeoutMs: 10_000 });
  expect(warned).toEqual([]);
  const all = receiverChecks.filter(({ requirement }) => requirement !== 'advice').map(({ id }) => id);
  expect(passed).toEqual(all);
});

test.for(wrongReceivers)('fails a receiver that $name', async ({ decide, traits, told, fails }) => {
  await using receiver = await openReceiver(decide, { secret, ...traits });
  const { failed } = await outcomesOf(receiver.url, { only: promises, ...told });
  expect(failed.toSorted()).toEqual(fails.toSorted());
});

test('fails a receiver that accepts everything in every check of RECV-2 only', async () => {
  await using receiver = await openReceiver(() => 200, { secret });
  const { failed } = await outcomesOf(receiver.url, { only: promises });
  const wrong = receiverChecks.filter(({ requirement }) => requirement === 'RECV-2').map(({ id }) => id);
  expect(failed).toEqual(wrong);
});

test('recognizes a receiver that compares with upper-case hex', async () => {
  const { decide, told } = wrongReceivers.find(({ name }) => name === 'compares with upper case') ?? {};
  await using receiver = await openReceiver(decide ?? decideRightly, { secret });
  const { run } = await outcomesOf(receiver.url, told);
  const [first] = run.results;
  expect(first?.result.actual).toMatch(/^HTTP 401; the receiver accepts the push with upper-case hex/);
  expect(run.results.at(-1)?.result.reason).toMatch(
    /^the receiver accepted no valid push \(HTTP 401; the receiver accepts/,
  );
});

test('recognizes a receiver that decodes each part of the body separately', async () => {
  const { decide } = wrongReceivers.find(({ name }) => name.startsWith('decodes each part')) ?? {};
  await using receiver = await openReceiver(decide ?? decideRightly, { secret });
  const { run } = await outcomesOf(receiver.url, { only: ['recv-1-in-pieces'] });
  expect(run.results[0]?.result.actual).toBe(
    'HTTP 401; in one part it is accepted: join all bytes before you decode them',
  );
});

test.for(forgeableReceivers)('finds the flaw of a receiver that $name', async ({ decide, fails }) => {
  await using receiver = await openReceiver(decide, { secret });
  const { failed, warned } = await outcomesOf(receiver.url, { only: fails });
  expect([...failed, ...warned]).toEqual(fails);
});
