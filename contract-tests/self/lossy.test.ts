// @module-tag nightly
// A network that loses answers: the calls take effect, and the suite never learns of it. That is nobody's broken promise.
import { expect, test } from 'vitest';
import { canBeDeleted } from '../deployment/created-resources.ts';
import type { Report } from '../reports/report.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';
import type { Tamper } from './tampering-proxy.ts';

const seeds = Array.from({ length: 20 }, (_, seed) => seed + 1);
const lostShare = 0.06;

const whole = runAgainstMock({ options: { tier: 'full' } }).then((report) => verifiedIn(report).length);

test.for(seeds)(
  'losing 6 of 100 answers accuses nobody, costs little, and leaves nothing that could be deleted (%i)',
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

/** Loses a share of the answers: the call takes effect, and the connection is closed. */
function losing(share: number, seed: number): Tamper {
  const random = createRandom(seed);
  return async (message, forward) => {
    const reply = await forward(message);
    if (random() >= share) return reply;
    throw Object.assign(new Error('the answer is lost'), { code: 'LOST' });
  };
}

/** Numbers from 0 to 1 by a linear congruence (Numerical Recipes). */
function createRandom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
