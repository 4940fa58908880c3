// @module-tag nightly
// A network loses answers of calls that take effect: no requirement may fail.
import { expect, test } from 'vitest';
import { canBeDeleted } from '../deployment/created-resources.ts';
import type { Report } from '../reports/report.ts';
import { alarmsIn, requirementsThat, runAgainstMock } from './run-against-mock.ts';
import { losing } from './tampering.ts';

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
    expect({ alarms: alarmsIn(report), aborted: report.aborted }).toEqual({ alarms: [], aborted: null });
    expect(report.leftovers.filter((one) => canBeDeleted(one) && one.id !== null)).toEqual([]);
    expect(verifiedIn(report).length / (await whole)).toBeGreaterThanOrEqual(0.8);
  },
);

function verifiedIn(report: Report): string[] {
  return ['passed', 'partly'].flatMap((outcome) => requirementsThat(outcome, report));
}
