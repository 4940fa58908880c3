// A whole run against a receiver. Sends a valid push before each check, because a refusal proves nothing if that is refused too.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Abort, NotVerified } from '../core/outcomes.ts';
import type { CheckResult, RunResult, Warning } from '../reports/report.ts';
import { notVerified, passed, resultOfError, warningOf } from './check-results.ts';
import { receiverChecks } from './checks/index.ts';
import { acceptedAfterOthers } from './checks/looking-back.ts';
import { rightPush } from './checks/right-push.ts';
import { noSecret } from './expect-push.ts';
import { type Answer, describeAnswer, hasStatus, isAccepted, isLate, type Silence } from './push-answer.ts';
import type { ReceiverCheck } from './receiver-check.ts';
import { createReceiverContext, type ReceiverContext } from './receiver-context.ts';
import type { ReceiverOptions } from './receiver-options.ts';

interface RunOptions {
  signal?: AbortSignal;
  /** Called once with the number of results to expect. */
  onSelected?(count: number): void;
  onResult?(entry: RunResult['results'][number]): void;
}

export function selectReceiverChecks({
  only,
  skip,
}: Pick<ReceiverOptions, 'only' | 'skip'>): ReceiverCheck[] {
  const names = (list: readonly string[], { id, requirement }: ReceiverCheck) =>
    list.includes(id) || list.includes(requirement);
  return receiverChecks.filter((check) => (only.length === 0 || names(only, check)) && !names(skip, check));
}

export async function runReceiverChecks(
  options: ReceiverOptions,
  { signal = new AbortController().signal, onResult, onSelected }: RunOptions = {},
): Promise<RunResult> {
  const context = createReceiverContext(options, signal);
  const results: RunResult['results'] = [];
  const warnings: Warning[] = [];
  const addResult = (check: ReceiverCheck, result: CheckResult) => {
    if (check.requirement === 'advice') return;
    const entry = { requirement: check.requirement, result };
    results.push(entry);
    onResult?.(entry);
  };
  onSelected?.(selectReceiverChecks(options).filter(({ requirement }) => requirement !== 'advice').length);
  const start = await startRun(context);
  const state: State = { context, previous: rightPush.id, ended: start.reason };
  for (const check of selectReceiverChecks(options)) {
    const outcome = check === rightPush && start.result ? start.result : await runCheck(check, state);
    if ('outcome' in outcome) addResult(check, outcome);
    else if (outcome.warning) warnings.push(outcome.warning);
  }
  addAdvised(context, options, warnings);
  const abort: Abort | undefined =
    start.abort ?? (signal.aborted ? { kind: 'interrupted', reason: interrupted } : undefined);
  return { ...describeRun(context), results, warnings, abort };
}

/** Adds the warnings that checks of promises recorded. */
function addAdvised(context: ReceiverContext, options: ReceiverOptions, warnings: Warning[]): void {
  for (const check of selectReceiverChecks(options)) {
    const found = context.advised.get(check.id);
    const warning = found && warningOf(check, found, context);
    if (warning && !warnings.some(({ id }) => id === check.id)) warnings.push(warning);
  }
}

interface Start {
  reason?: string | undefined;
  abort?: Abort;
  result?: CheckResult;
}

/** Checks that the receiver answers and accepts a valid push. */
async function startRun(context: ReceiverContext): Promise<Start> {
  const { options, secrets } = context;
  if (options.secret === undefined) return { reason: noSecret, ...(await reachReceiver(context)) };
  const result = await runPromise(rightPush, context);
  const first = context.trials[0]?.answer;
  if (isUnreachable(first)) return abortUnreachable(options.url, first.reason);
  if (result.outcome === 'passed') return { result };
  const why = secrets.redact(result.actual ?? `${result.reason}`);
  return { result, reason: `the receiver accepted no valid push (${why}), so a refusal proves nothing` };
}

async function reachReceiver(context: ReceiverContext): Promise<Start> {
  const { answer } = await context.sendOnce(context.factory.makePush());
  return isUnreachable(answer) ? abortUnreachable(context.options.url, answer.reason) : {};
}

function isUnreachable(answer: Answer | undefined): answer is Silence {
  return answer?.kind === 'silence' && (answer.how === 'unreachable' || answer.how === 'unconnected');
}

function abortUnreachable(url: string, cause: string): Start {
  const reason = `cannot reach ${url}: ${cause}; start the receiver or correct its address`;
  return { reason, abort: { kind: 'unreachable', reason } };
}

const interrupted = 'the run was interrupted';

interface State {
  context: ReceiverContext;
  previous: string;
  /** Why the run sends no further push; undefined if it does. */
  ended: string | undefined;
}

/** The result of a check of a promise, or the warning of a check of advice. */
async function runCheck(
  check: ReceiverCheck,
  state: State,
): Promise<CheckResult | { warning: Warning | undefined }> {
  const { context } = state;
  if (context.signal.aborted) return notVerified(check, interrupted);
  const isLast = check === acceptedAfterOthers;
  // One more push is allowed even if the time is used up.
  const ended = state.ended ?? (isLast ? undefined : context.budget.spent());
  if (context.breakdowns.length === 0 && ended !== undefined) return notVerified(check, ended);
  if (ended === undefined && (check.pushes > 0 || isLast)) {
    const reason = await checkStillAccepting(state);
    if (reason !== undefined) return notVerified(check, reason);
  }
  const away = state.ended ?? ended;
  if (away !== undefined && check.pushes > 0) return notVerified(check, away);
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
    return context.signal.aborted ? notVerified(check, interrupted) : resultOfError(check, error, context);
  }
}

const pauseMs = 250;

/** Checks that the receiver accepts a valid push. Returns the reason if that cannot be verified. */
async function checkStillAccepting(state: State): Promise<string | undefined> {
  try {
    await waitUntilAccepting(state);
    return undefined;
  } catch (error) {
    if (error instanceof NotVerified) return error.message;
    throw error;
  }
}

/** Sends a valid push. If the receiver does not accept it, records that and waits for a restart of the receiver. */
async function waitUntilAccepting(state: State): Promise<void> {
  const { context, previous } = state;
  const trial = await context.sendNew();
  if (isAccepted(trial.answer) || context.signal.aborted) return;
  if (isLate(trial.answer) || hasStatus(trial.answer, 503))
    throw new NotVerified(
      `the receiver did not accept a valid push in time (${describeAnswer(trial.answer)}), so a refusal proves nothing; raise --timeout`,
    );
  context.breakdowns.push({ after: previous, trial });
  const until = performance.now() + context.options.timeoutMs;
  while (performance.now() < until && !context.signal.aborted) {
    await sleep(pauseMs);
    if (isAccepted((await context.sendNew()).answer)) return;
  }
  state.ended = `the receiver has accepted no valid push since ${previous} (${context.secrets.redact(describeAnswer(trial.answer))})`;
}

function describeRun({ observations, trials }: ReceiverContext): Omit<RunResult, 'results' | 'abort'> {
  return {
    checked: ['RECV-1', 'RECV-2'],
    gaps: observations.report().filter(({ outcome }) => outcome !== 'not-observed'),
    remarks: [],
    coverage: [],
    leftovers: [],
    requests: trials.length,
    notes: [],
  };
}
