// A whole run against a receiver. Before each check a right push has to be taken: a refusal for another reason proves nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Abort } from '../core/outcomes.ts';
import { NotVerified } from '../core/outcomes.ts';
import type { CheckResult, RunResult, Warning } from '../reports/report.ts';
import { judgeError, notMade, passed, warningOf } from './check-results.ts';
import { receiverChecks } from './checks/index.ts';
import { steadiness } from './checks/looking-back.ts';
import { rightPush } from './checks/right-push.ts';
import { noSecret } from './expect-push.ts';
import { describeAnswer, isAccepted } from './push-answer.ts';
import type { ReceiverCheck } from './receiver-check.ts';
import { createReceiverContext, type ReceiverContext } from './receiver-context.ts';
import type { ReceiverOptions } from './receiver-options.ts';

/** Who runs the checks. */
export interface ReceiverRunner {
  signal?: AbortSignal;
  /** Called with every result as it comes. */
  onResult?(entry: RunResult['results'][number]): void;
}

/** The checks that a run is asked for. */
export function selectReceiverChecks({
  only,
  skip,
}: Pick<ReceiverOptions, 'only' | 'skip'>): ReceiverCheck[] {
  const names = (list: readonly string[], { id, requirement }: ReceiverCheck) =>
    list.includes(id) || list.includes(requirement);
  return receiverChecks.filter((check) => (only.length === 0 || names(only, check)) && !names(skip, check));
}

/** Runs the checks against a receiver. */
export async function runReceiverChecks(
  options: ReceiverOptions,
  { signal = new AbortController().signal, onResult }: ReceiverRunner = {},
): Promise<RunResult> {
  const context = createReceiverContext(options, signal);
  const results: RunResult['results'] = [];
  const warnings: Warning[] = [];
  const tell = (check: ReceiverCheck, result: CheckResult) => {
    if (check.requirement === 'advice') return;
    const entry = { requirement: check.requirement, result };
    results.push(entry);
    onResult?.(entry);
  };
  const start = await begin(context);
  const state: State = { context, previous: rightPush.id, ended: start.reason };
  for (const check of selectReceiverChecks(options)) {
    const outcome = check === rightPush && start.result ? start.result : await make(check, state);
    if ('outcome' in outcome) tell(check, outcome);
    else if (outcome.warning) warnings.push(outcome.warning);
  }
  const abort: Abort | undefined =
    start.abort ?? (signal.aborted ? { kind: 'interrupted', reason: interrupted } : undefined);
  return { ...rest(context), results, warnings, abort };
}

interface Start {
  /** Why no check can be made. */
  reason?: string | undefined;
  abort?: Abort;
  /** What the check of the right push came to. */
  result?: CheckResult;
}

/** Does anybody answer, and is a right push taken? */
async function begin(context: ReceiverContext): Promise<Start> {
  const { options, secrets } = context;
  if (options.secret === undefined) return { reason: noSecret, ...(await reach(context)) };
  const result = await runPromise(rightPush, context);
  const first = context.trials[0]?.answer;
  if (first?.kind === 'silence' && first.how === 'gone') return unreachable(options.url, first.reason);
  if (result.outcome === 'passed') return { result };
  const why = secrets.redact(result.actual ?? `${result.reason}`);
  return {
    result,
    reason: `no right push was accepted (${why}), and what is refused besides proves nothing`,
  };
}

async function reach(context: ReceiverContext): Promise<Start> {
  const { answer } = await context.sendOnce(context.forge.make());
  return answer.kind === 'silence' && answer.how === 'gone'
    ? unreachable(context.options.url, answer.reason)
    : {};
}

function unreachable(url: string, cause: string): Start {
  const reason = `${url} can't be reached: ${cause}; start the receiver, or correct --url`;
  return { reason, abort: { kind: 'unreachable', reason } };
}

const interrupted = 'the run was interrupted';

interface State {
  context: ReceiverContext;
  /** The check before. */
  previous: string;
  /** Why no further push can be judged. */
  ended: string | undefined;
}

/** A result for a promise; for advice a warning, if there is reason for one. */
async function make(
  check: ReceiverCheck,
  state: State,
): Promise<CheckResult | { warning: Warning | undefined }> {
  const { context } = state;
  if (context.signal.aborted) return notMade(check, interrupted);
  if (context.seen.stops.length === 0 && state.ended !== undefined) return notMade(check, state.ended);
  if (state.ended === undefined && (check.pushes > 0 || check === steadiness)) {
    const unsure = await requireSteady(state);
    if (unsure !== undefined) return notMade(check, unsure);
  }
  if (state.ended !== undefined && check.pushes > 0) return notMade(check, state.ended);
  state.previous = check.id;
  if (check.requirement !== 'advice') return runPromise(check, context);
  try {
    await check.run(context);
    return { warning: undefined };
  } catch (error) {
    return { warning: warningOf(check, error, context) };
  }
}

async function runPromise(check: ReceiverCheck, context: ReceiverContext): Promise<CheckResult> {
  try {
    await check.run(context);
    return passed(check);
  } catch (error) {
    return context.signal.aborted ? notMade(check, interrupted) : judgeError(check, error, context);
  }
}

const pauseMs = 250;

/** Sends a right push; where it is not taken, that is noted, and a receiver that is started anew is waited for. Gives the reason why that could not be judged. */
async function requireSteady(state: State): Promise<string | undefined> {
  try {
    await steady(state);
    return undefined;
  } catch (error) {
    if (error instanceof NotVerified) return error.message;
    throw error;
  }
}

async function steady(state: State): Promise<void> {
  const { context, previous } = state;
  const trial = await context.try();
  if (isAccepted(trial.answer) || context.signal.aborted) return;
  context.seen.stops.push({ after: previous, trial });
  const until = performance.now() + context.options.timeoutMs;
  while (performance.now() < until && !context.signal.aborted) {
    await sleep(pauseMs);
    if (isAccepted((await context.try()).answer)) return;
  }
  state.ended = `the receiver has taken no right push since ${previous} (${context.secrets.redact(describeAnswer(trial.answer))})`;
}

function rest({ observations, trials }: ReceiverContext): Omit<RunResult, 'results' | 'abort'> {
  return {
    checked: ['RECV-1', 'RECV-2'],
    gaps: observations.report().filter(({ outcome }) => outcome !== 'not-observed'),
    coverage: [],
    leftovers: [],
    requests: trials.length,
    notes: [],
  };
}
