// @module-tag ci
// Counts leftovers in the world of the mock.
import { expect, test } from 'vitest';
import type { RootMock } from '../../mock/server/create-mock.ts';
import { loadProfile } from '../../openapi/profile.ts';
import type { SuiteOptions, Tier } from '../core/suite-options.ts';
import type { ResourceKind } from '../deployment/created-resources.ts';
import type { Report } from '../reports/report.ts';
import { dryRunOf } from '../run/dry-run.ts';
import { selectChecks } from '../run/select-checks.ts';
import { alarmsIn, profileWithout, runAgainstMock } from './run-against-mock.ts';

const whole = loadProfile('default');
const deletions = ['subscription', 'site', 'key', 'content'].map((kind) => `operation.delete-${kind}`);
const cannotDelete = profileWithout((gap) => deletions.includes(gap));

/** Default of --max-wait. */
const usualWaitMs = 10_000;

interface Left {
  report: Report;
  /** Additional subscriptions in the mock after the run. */
  subscriptions: number;
  options: SuiteOptions;
}

async function leave(told: typeof whole, options: Partial<SuiteOptions>, control: boolean): Promise<Left> {
  let count = () => 0;
  let before = 0;
  let ended: Omit<Left, 'report'> | undefined;
  const report = await runAgainstMock({
    spoken: whole,
    told,
    control,
    options: { maxWaitMs: control ? 0 : usualWaitMs, ...options },
    sabotage: (mock: RootMock) => {
      count = () => mock.world.subscriptions.size;
      before = count();
    },
    beforeEnd: async (_report, given) => {
      ended = { subscriptions: count() - before, options: given };
    },
  });
  if (!ended) throw new Error('the run did not end');
  return { report, ...ended };
}

const kinds = ['subscription', 'site', 'content', 'API key', 'form submission', 'comment'] as const;

test.for<[Tier, string, typeof whole, boolean, number]>([
  ['safe', 'without deletions', cannotDelete, false, 12],
  ['safe', 'without deletions', cannotDelete, true, 12],
  ['full', 'without deletions', cannotDelete, true, 60],
  ['safe', 'with deletions', whole, true, 0],
  ['full', 'with deletions', whole, true, 0],
])(
  '%1$s leaves few subscriptions or none %2$s (control API: %4$s)',
  { timeout: 180_000 },
  async ([tier, , told, control, most]) => {
    const { report, subscriptions, options } = await leave(told, { tier }, control);
    expect(alarmsIn(report)).toEqual([]);
    expect(subscriptions).toBeLessThanOrEqual(most);
    if (most > 0) expect(subscriptions).toBeGreaterThan(most / 2);
    // The plan does not contain deletions.
    if (most > 0) expect(report.requests).toBeLessThanOrEqual(plannedRequests(options));
    for (const what of kinds)
      expect([what, Math.abs(planned(options, what) - leftOf(report, what)) <= 3]).toEqual([what, true]);
  },
);

/** Leftovers of a kind that a dry run announces. */
function planned(options: SuiteOptions, kind: ResourceKind): number {
  const { creates } = dryRunOf(options, selectChecks(options));
  return creates.find(({ what, isDeleted }) => what === kind && !isDeleted)?.count ?? 0;
}

function plannedRequests(options: SuiteOptions): number {
  const { requests } = dryRunOf(options, selectChecks(options));
  return requests.reduce((sum, { count }) => sum + count, 0);
}

function leftOf({ leftovers }: Report, kind: ResourceKind): number {
  return leftovers.filter(({ what }) => what === kind).length;
}
