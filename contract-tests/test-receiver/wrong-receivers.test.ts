// @module-tag ci
import { expect, test } from 'vitest';
import { receiverChecks } from './checks/index.ts';
import { forgeableReceivers } from './testing/forgeable-receivers.ts';
import { openReceiver } from './testing/open-receiver.ts';
import { decideRightly } from './testing/right-receiver.ts';
import { outcomesOf, secret } from './testing/run.ts';
import { wrongReceivers } from './testing/wrong-receivers.ts';

const promises = ['RECV-1', 'RECV-2'];

test('a right receiver passes every check, without a warning', async () => {
  await using receiver = await openReceiver(decideRightly, { secret });
  const { passed, warned } = await outcomesOf(receiver.url, { timeoutMs: 10_000 });
  expect(warned).toEqual([]);
  const all = receiverChecks.filter(({ requirement }) => requirement !== 'advice').map(({ id }) => id);
  expect(passed).toEqual(all);
});

test.for(wrongReceivers)(
  'a receiver that $name fails by that name',
  async ({ decide, traits, told, fails }) => {
    await using receiver = await openReceiver(decide, { secret, ...traits });
    const { failed } = await outcomesOf(receiver.url, { only: promises, ...told });
    expect(failed.toSorted()).toEqual(fails.toSorted());
  },
);

test('a receiver that accepts whatever comes fails every check of RECV-2, and none of RECV-1', async () => {
  await using receiver = await openReceiver(() => 200, { secret });
  const { failed } = await outcomesOf(receiver.url, { only: promises });
  const wrong = receiverChecks.filter(({ requirement }) => requirement === 'RECV-2').map(({ id }) => id);
  expect(failed).toEqual(wrong);
});

test('a receiver that looks for upper case is told so', async () => {
  const { decide, told } = wrongReceivers.find(({ name }) => name === 'compares with upper case') ?? {};
  await using receiver = await openReceiver(decide ?? decideRightly, { secret });
  const { run } = await outcomesOf(receiver.url, told);
  const [first] = run.results;
  expect(first?.result.actual).toMatch(/^HTTP 401; the same with its hex in upper case is accepted/);
  expect(run.results.at(-1)?.result.reason).toMatch(/^no right push was accepted \(HTTP 401; the same/);
});

test('a receiver that decodes each part of the body on its own is told so', async () => {
  const { decide } = wrongReceivers.find(({ name }) => name.startsWith('decodes each part')) ?? {};
  await using receiver = await openReceiver(decide ?? decideRightly, { secret });
  const { run } = await outcomesOf(receiver.url, { only: ['recv-1-in-pieces'] });
  expect(run.results[0]?.result.actual).toBe(
    'HTTP 401; in one part it is accepted: join the bytes, and decode them then',
  );
});

test.for(forgeableReceivers)('a receiver that $name is accused', async ({ decide, fails }) => {
  await using receiver = await openReceiver(decide, { secret });
  const { failed, warned } = await outcomesOf(receiver.url, { only: fails });
  expect([...failed, ...warned]).toEqual(fails);
});
