// What a run would do, computed from the recorded cost of each check without sending anything.
import { readFileSync } from 'node:fs';
import type { OperationId } from '../../openapi/operations.ts';
import { outsideCalls } from '../calls/outside-calls.ts';
import { budgetKey } from '../calls/user-session.ts';
import type { Check, Need } from '../check.ts';
import { outsideIn } from '../checks/envelope/envelope.ts';
import { scaleCosts } from '../checks/generated-cases/case-settings.ts';
import { type Context, createContext } from '../context.ts';
import { type Costs, totalOf } from '../core/costs.ts';
import { perMinute, windowMs } from '../core/documented-limits.ts';
import { durationMs } from '../core/duration.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { createControl } from '../deployment/control-api.ts';
import { createRealClock } from '../deployment/deployment-clock.ts';
import { canBeReached, type Receiver } from '../push-receiver/push-receiver.ts';
import { type PlannedCreation, plannedCreations } from './left-behind.ts';
import { unmetNeeds } from './needs.ts';

/** What a run would do. Counts are upper bounds; times are estimates, in milliseconds. */
export interface DryRun {
  checks: number;
  /** `operation` is null for calls to unknown paths. */
  requests: { operation: OperationId | null; method: string; path: string; count: number }[];
  /** Logins that count towards the limit of the main user's tenant. `recent`: earlier ones of the last minute. */
  logins: { count: number; recent: number };
  durationMs: number;
  /** The longest wait. `durationMs` includes it. */
  waitMs: number;
  creates: PlannedCreation[];
  notVerified: { requirement: string; reason: string }[];
}

/** The rough duration of a request, in milliseconds. */
const requestMs = 50;
/** The duration of the start, and of watching for unexpected pushes. */
const startMs = 5_000;

export function dryRunOf(options: SuiteOptions, checks: readonly Check[]): DryRun {
  const context = offlineContext(options);
  const unmet = checks.map((check) => ({ check, reason: unmetNeeds(check, context) }));
  const made = unmet.filter(({ reason }) => reason === undefined).map(({ check }) => check);
  const { calls, logins } = totalOf(
    scaleCosts(readCosts(), options),
    made.map(({ id }) => id),
  );
  if (options.account) calls.set('login', (calls.get('login') ?? 0) + 1);
  const known = [...calls].filter(([id]) => context.operations.has(id));
  const waitMs = context.clock.isMoved ? 0 : longestWait(made, context);
  const requests = [
    ...known.map(([id, times]) => requestLine(context, id, times)),
    ...outsideLines(context, made),
  ];
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  return {
    checks: made.length,
    requests,
    logins: {
      // The first login precedes the checks. Without another tenant, its logins count for this one.
      count: (options.account ? 1 : 0) + logins.main + (options.other ? 0 : logins.other),
      recent: context.budget.recent(budgetKey(context, 'main')).length,
    },
    durationMs: startMs + total * requestMs + waitMs,
    waitMs,
    creates: plannedCreations(context, made),
    notVerified: unmet.flatMap(({ check, reason }) =>
      reason === undefined ? [] : [{ requirement: check.requirement, reason }],
    ),
  };
}

/** A context that sends nothing. */
function offlineContext(options: SuiteOptions): Context {
  const { journal: _none, ...rest } = options;
  const { controlUrl, controlToken } = rest;
  const silentReceiver = { urlOf: (path: string) => path, wasReached: () => false } as Receiver;
  return createContext(rest, {
    clock: { ...createRealClock(), isMoved: controlUrl !== undefined },
    control: controlUrl === undefined ? undefined : createControl(controlUrl, controlToken),
    receiver: canBeReached(options) ? silentReceiver : undefined,
  });
}

function readCosts(): Costs {
  return JSON.parse(readFileSync(new URL('../generated/costs.json', import.meta.url), 'utf8')) as Costs;
}

function requestLine({ operations }: Context, id: OperationId, count: number): DryRun['requests'][number] {
  const { method = '', path = '' } = operations.get(id) ?? {};
  return { operation: id, method, path, count };
}

/** The calls to unknown paths. */
function outsideLines(context: Context, made: readonly Check[]): DryRun['requests'] {
  const isMade = context.options.tier === 'full' && made.some(({ requirement }) => requirement === outsideIn);
  return isMade ? outsideCalls(context).map((call) => ({ operation: null, ...call, count: 1 })) : [];
}

/** All waits overlap, except the rate limit checks: they run last, after a quiet minute, and take two more minutes. */
function longestWait(checks: readonly Check[], context: Context): number {
  const needs = checks.flatMap((check) => check.needs);
  const longest = Math.max(0, ...needs.map((need) => waitOf(need, context)));
  const isLimitMeasured = needs.includes('disruptive') && context.options.maxWaitMs >= windowMs;
  return isLimitMeasured ? Math.max(longest, windowMs) + 2 * windowMs : longest;
}

export function waitOf(need: Need, { profile }: Pick<Context, 'profile'>): number {
  if (need.startsWith('wait:')) return durationMs(need.slice('wait:'.length));
  return need === 'expiry' ? profile.values['token.lifetime'] * 1_000 : 0;
}

export function isShortOfLogins({ logins }: DryRun): boolean {
  return logins.count + logins.recent > perMinute;
}
