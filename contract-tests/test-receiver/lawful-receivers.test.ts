// @module-tag nightly
// No receiver that keeps its promises fails, however it does so.
import { expect, test } from 'vitest';
import { receiverChecks } from './checks/index.ts';
import { lawfulGateways } from './testing/lawful-gateways.ts';
import { lawfulReceivers } from './testing/lawful-receivers.ts';
import { openReceiver } from './testing/open-receiver.ts';
import { outcomesOf, secret } from './testing/run.ts';

const advice = receiverChecks.flatMap(({ id, requirement }) =>
  requirement === 'advice' && !/of-5-mb|many-at-once|slow-sender|-signed-/.test(id) ? [id] : [],
);

test.concurrent.for([...lawfulReceivers, ...lawfulGateways])(
  'a receiver that $name does not fail',
  async (row) => {
    const { make, told, passes = [], leavesOpen = [], warns = [], drifts = [] } = row;
    await using receiver = await openReceiver(make(), { secret });
    const only = ['RECV-1', 'RECV-2', ...advice];
    const { run, failed, passed, notVerified, warned } = await outcomesOf(receiver.url, {
      only,
      // Enough for receivers that share a busy machine with other tests.
      timeoutMs: 5_000,
      ...told,
    });
    expect(failed).toEqual([]);
    expect(run.results.filter(({ result }) => result.outcome === 'error')).toEqual([]);
    expect(passed).toEqual(expect.arrayContaining([...passes]));
    expect(notVerified).toEqual(expect.arrayContaining([...leavesOpen]));
    expect(warned).toEqual(expect.arrayContaining([...warns]));
    const drifting = run.gaps.filter(({ outcome }) => outcome === 'drift').map(({ id }) => id);
    expect(drifting).toEqual(drifts);
  },
);
