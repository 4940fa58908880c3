// How many generated cases a run makes. The command line reads this too, so it loads nothing that sends anything.
import type { Cost, Costs } from '../../core/costs.ts';
import type { SuiteOptions } from '../../core/suite-options.ts';

/** Cases of each generated check: as many as the largest check has kinds of cases. */
export const defaultCases = 24;

type Settings = Pick<SuiteOptions, 'cases'>;

/** The most cases that each generated check makes. */
export function casesOf({ cases = defaultCases }: Settings): number {
  return cases;
}

/** Whether a run makes generated cases at all: there are many, and most of them are invalid. */
export function areCasesMade(options: Settings & Pick<SuiteOptions, 'tier'>): boolean {
  return options.tier === 'full' && casesOf(options) > 0;
}

/** The most that checks cost with a number of cases; the recorded costs of generated checks are those of the default number. */
export function scaleCosts({ checks, steps }: Costs, settings: Settings): Costs {
  const factor = Math.max(1, casesOf(settings) / defaultCases);
  const scaled = Object.entries(checks).map(
    ([id, cost]) => [id, id.includes('-generated-') ? scale(cost, factor) : cost] as const,
  );
  return { checks: Object.fromEntries(scaled), steps };
}

function scale(cost: Cost, factor: number): Cost {
  const calls = Object.entries(cost.calls).map(([id, count]) => [id, Math.ceil(count * factor)]);
  return { ...cost, calls: Object.fromEntries(calls) as Cost['calls'] };
}
