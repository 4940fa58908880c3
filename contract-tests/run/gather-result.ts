import type { Context } from '../context.ts';
import { learnTokens } from '../redaction/learn-tokens.ts';
import type { CoverageReport, RunResult } from '../reports/report.ts';

/** What a context has gathered besides the results of the checks, free of secrets. */
export function gather(context: Context): Omit<RunResult, 'results' | 'checked' | 'abort'> {
  const { observations, exchanges, resources, secrets, notes } = context;
  learnTokens(context);
  const gaps = observations
    .report()
    .map((gap) => ({ ...gap, observed: gap.observed && secrets.redact(gap.observed) }));
  const left = resources.remaining().map(({ what, id, site, target }) => ({
    what,
    id: typeof id === 'string' ? secrets.redact(id) : (id ?? null),
    site: site ?? null,
    target: secrets.redact(target),
  }));
  return { gaps, coverage: coverageOf(context), leftovers: left, requests: exchanges.length, notes };
}

/** Every operation that the description states, in its order, also those that were never called. */
function coverageOf({ exchanges, operations }: Context): CoverageReport[] {
  const byOperation = Map.groupBy(exchanges, ({ operation }): string => operation);
  return [...new Set([...operations.keys(), ...byOperation.keys()])].map((operation) => {
    const calls = byOperation.get(operation) ?? [];
    const statuses = new Set(calls.map(({ response }) => response.status));
    return {
      operation,
      statuses: [...statuses].sort((one, other) => one - other),
      requests: calls.length,
    };
  });
}
