// @module-tag nightly
// A network loses answers of calls that take effect: no requirement may fail.
import { expect, test } from 'vitest';
import { canBeDeleted } from '../deployment/created-resources.ts';
import type { Report } from '../reports/report.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';
import type { Tamper } from './tampering-proxy.ts';

const seeds = Array.from({ length: 20 }, (_, seed) => seed + 1);
const lostShare = 0.06;

const whole = runAgainstMock({ options: { tier: 'full' } }).then((report) => verifiedIn(report).length);

test.for(seeds)(
  'fails nothing, verifies most and leaves nothing deletable if 6 % of the answers are lost (%i)',
  async (seed) => {
    const report = await runAgainstMock({
      options: { tier: 'full', requestTimeoutMs: 2_000 },
      tamper: () => losing(lostShare, seed),
    });
    const failures = report.requirements
      .flatMap(({ checks }) => checks)
      .filter(({ outcome }) => ['failed', 'error'].includes(outcome))
      .map(({ id, reason }) => `${id}: ${reason}`);
    expect({ failures, aborted: report.aborted }).toEqual({ failures: [], aborted: null });
    expect(report.leftovers.filter((one) => canBeDeleted(one) && one.id !== null)).toEqual([]);
    expect(verifiedIn(report).length / (await whole)).toBeGreaterThanOrEqual(0.8);
  },
);

function verifiedIn(report: Report): string[] {
  return ['passed', 'partly'].flatMap((outcome) => requirementsThat(outcome, report));
}

/** Closes the connection for a share of the calls after they take effect. */
function losing(share: number, seed: number): Tamper {
  const random = createRandom(seed);
  return async (message, forward) => {
    const reply = await forward(message);
    if (random() >= share) return reply;
    throw Object.assign(new Error('the answer is lost'), { code: 'LOST' });
  };
}

/** Linear congruential generator (Numerical Recipes). */
function createRandom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
