// The outcomes of checks and requirements, and the errors by which checks report them.
import { describeAnswer, type Exchange } from './exchange.ts';

export type CheckOutcome = 'passed' | 'failed' | 'not-verified' | 'not-applicable' | 'error';

/** Outcome of a requirement. Drift of a gap and remarks are notices, never an outcome. */
export type Outcome = 'passed' | 'failed' | 'partly' | 'not-verified' | 'error';

/** The outcome of a requirement by those of its checks. "Not applicable" does not count. */
export function outcomeOf(checks: readonly CheckOutcome[]): Outcome {
  if (checks.includes('failed')) return 'failed';
  if (checks.includes('error')) return 'error';
  if (!checks.includes('passed')) return 'not-verified';
  return checks.includes('not-verified') ? 'partly' : 'passed';
}

export interface FurtherEvidence {
  /** Further exchanges that show the same. */
  others?: readonly Exchange[];
  /** The timeline, for a promise about time. */
  moments?: readonly Moment[];
}

/** An event, or a missing one, `afterMs` after the first. */
export interface Moment {
  afterMs: number;
  what: string;
}

/** The deployment breaks the promise that the check tests. */
export class PromiseBroken extends Error {
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange | undefined;
  readonly further: FurtherEvidence;
  constructor(expected: string, actual: string, exchange?: Exchange, further: FurtherEvidence = {}) {
    super(`expected ${expected}; got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.exchange = exchange;
    this.further = further;
  }
}

/** How to find out whether a refusal is about the call. */
export interface RefusalTrial {
  /** Sends the refused call again, with its preparation. Default: the same call. */
  again?: () => Promise<Exchange>;
  /** Sends a similar call that must pass. Default: a call of the run; null if `again` sends one itself. */
  plain?: (() => Promise<Exchange>) | null;
  /** The number of tries; fewer if the call is rate limited. */
  looks?: number;
  /** A need, such as operation:delete-key, of checks that invalidate the call. The last try precedes them. */
  spoiledBy?: string;
}

/** A call was refused that must be accepted. The run fails the check only if the refusal lasts. */
export class WronglyRefused extends PromiseBroken {
  readonly refusal: Exchange;
  readonly trial: RefusalTrial;
  constructor(
    expected: string,
    refusal: Exchange,
    trial: RefusalTrial = {},
    actual = describeAnswer(refusal),
  ) {
    super(expected, actual, refusal);
    this.refusal = refusal;
    this.trial = trial;
  }
}

/** The check could not run or decide. The message says why and what to do. */
export class NotVerified extends Error {}

/** The check does not apply to this deployment, for example limits across sites if the call names no site. */
export class NotApplicable extends Error {}

/**
 * A push caused at `since` (milliseconds since 1970, by the deployment's clock) has not arrived yet. The run repeats this check at its end.
 * Steps of `once` must not throw this, because they do not repeat.
 */
export class NotSeenYet extends Error {
  readonly since: number;
  constructor(expected: string, since: number) {
    super(`${expected} has not arrived yet`);
    this.since = since;
  }
}

/** An error in the suite, never a verdict on the deployment. */
export class HarnessError extends Error {}

/** The deployment did not answer in time. `isCertain`: retries would fail too. */
export class Unreachable extends Error {
  readonly isCertain: boolean;
  constructor(message: string, { isCertain = false } = {}) {
    super(message);
    this.isCertain = isCertain;
  }
}

/** The run would leave many resources behind and needs --leave-behind. */
export class LeaveBehindNeeded extends Error {}

/** Why a run ended early. The kind decides the exit code. */
export interface Abort {
  kind:
    | 'wrong-address'
    | 'usage'
    | 'unreachable'
    | 'credentials'
    | 'rate-limited'
    | 'interrupted'
    | 'suite-error';
  reason: string;
}

export const interruption: Abort = { kind: 'interrupted', reason: 'the run was interrupted' };
