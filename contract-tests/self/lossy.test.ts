// @module-tag nightly
// A network loses answers of calls that take effect, or a gateway refuses calls: no requirement may fail.
import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { canBeDeleted } from '../deployment/created-resources.ts';
import type { Report } from '../reports/report.ts';
import { alarmsIn, requirementsThat, runAgainstMock } from './run-against-mock.ts';
import { losing, refuse } from './tampering.ts';
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
    expect({ alarms: alarmsIn(report), aborted: report.aborted }).toEqual({ alarms: [], aborted: null });
    expect(report.leftovers.filter((one) => canBeDeleted(one) && one.id !== null)).toEqual([]);
    expect(verifiedIn(report).length / (await whole)).toBeGreaterThanOrEqual(0.8);
  },
);

// With these draws, the creation of the working Feishu subscription is refused, and publishes are repeated.
test('fails nothing if a gateway refuses 12 % of the calls', async () => {
  const spoken = loadProfile('always-200-camel-case');
  const draw = createXorshift(3_219_274_645);
  const refusing: Tamper = (message, forward) => (draw() < 0.12 ? refuse(403, 40311) : forward(message));
  const report = await runAgainstMock({
    spoken,
    told: spoken,
    options: { tier: 'full' },
    tamper: () => refusing,
  });
  expect(alarmsIn(report)).toEqual([]);
});

/** Numbers from 0 to 1. */
function createXorshift(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function verifiedIn(report: Report): string[] {
  return ['passed', 'partly'].flatMap((outcome) => requirementsThat(outcome, report));
}
