import { version } from '../../openapi/version.ts';
import type { Context } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import type { Abort } from '../core/outcomes.ts';
import type { Leftover, Resource } from '../deployment/created-resources.ts';
import { tokenLine } from '../deployment/curl.ts';
import { learnTokens } from '../redaction/learn-tokens.ts';
import { redactTexts } from '../redaction/redact.ts';
import { harOf } from '../reports/har.ts';
import type { CoverageReport, RunResult, TimesReport } from '../reports/report.ts';

type Gathered = Omit<RunResult, 'results' | 'checked'>;

/** The result of a run without its check results. Redacts secrets. */
export function gatherResult(context: Context, abort?: Abort): Gathered {
  const { observations, remarks, exchanges, resources, secrets, notes } = context;
  learnTokens(context);
  const { redact } = secrets;
  const clean = <T>(data: T) => redactTexts(data, redact);
  return {
    abort: clean(abort),
    gaps: observations.report().map((gap) => ({ ...gap, observed: clean(gap.observed) })),
    remarks: remarks.report().map((remark) => ({ ...remark, example: redact(remark.example) })),
    coverage: coverageOf(context),
    leftovers: resources.remaining().map((resource) => toLeftover(resource, redact)),
    requests: exchanges.length,
    notes: clean(notes),
    ...clean(tokenLineOf(context)),
    ...(context.options.recordsExchanges && { har: harOf(exchanges, { version, redact }) }),
  };
}

/** A resource in the form of the reports. */
export function toLeftover({ what, id, site, target }: Resource, redact: (text: string) => string): Leftover {
  return {
    what,
    id: redactTexts(plain(id), redact),
    site: redactTexts(plain(site), redact),
    target: redact(target),
  };
}

/** The shell line that gets the token for the curl lines with the login of the run. */
function tokenLineOf({
  exchanges,
  operations,
  secrets,
  options: { connection },
}: Context): Pick<RunResult, 'tokenLine'> {
  const login = exchanges.find((exchange) => exchange.operation === 'login' && succeeded(exchange));
  const place = operations.get('login')?.success.layout.values.token;
  if (!login || !place) return {};
  return { tokenLine: tokenLine(login.request, place, { secrets, connection }) };
}

/** Large integers become text, because JSON readers would round them. */
function plain(id: unknown): unknown {
  return typeof id === 'bigint' ? String(id) : (id ?? null);
}

/** Every operation of the description, in its order, including those that the run did not call. */
function coverageOf({ exchanges, operations }: Context): CoverageReport[] {
  const byOperation = Map.groupBy(exchanges, ({ operation }): string => operation);
  return [...new Set([...operations.keys(), ...byOperation.keys()])].map((operation) => {
    const calls = byOperation.get(operation) ?? [];
    const statuses = new Set(calls.map(({ response }) => response.status));
    return {
      operation,
      statuses: [...statuses].sort((one, other) => one - other),
      requests: calls.length,
      ...timesOf(calls),
    };
  });
}

/** Only of accepted calls, because refusals take a different time and their number depends on the checks. */
function timesOf(calls: readonly Exchange[]): Pick<CoverageReport, 'times'> {
  const times = summarizeTimes(calls.filter(succeeded).flatMap(({ response }) => response.tookMs ?? []));
  return times ? { times } : {};
}

/** The median and the 95th percentile of times in milliseconds, by nearest rank. Undefined without times. */
export function summarizeTimes(times: readonly number[]): TimesReport | undefined {
  if (times.length === 0) return undefined;
  const sorted = times.toSorted((one, other) => one - other);
  return {
    calls: sorted.length,
    median_ms: Math.round(percentile(sorted, 50)),
    p95_ms: Math.round(percentile(sorted, 95)),
  };
}

function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0;
}
