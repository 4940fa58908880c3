// How many generated cases a run makes. The command line reads this too, so it loads nothing that sends anything.
import type { Cost, Costs } from '../../core/costs.ts';
import type { SuiteOptions } from '../../core/suite-options.ts';

/** Of each generated check: as many as there are kinds of cases where these are most. */
export const defaultCases = 24;

type Settings = Pick<SuiteOptions, 'cases'>;

/** At most so many cases are made by each generated check. */
export function casesOf({ cases = defaultCases }: Settings): number {
  return cases;
}

/** Whether a run makes generated cases at all: they are many, and most of them are mistakes. */
export function areCasesMade(options: Settings & Pick<SuiteOptions, 'tier'>): boolean {
  return options.tier === 'full' && casesOf(options) > 0;
}

/** What checks cost at most where so many cases are made: the generated ones were recorded with the usual number. */
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
