// The outcomes of checks and requirements, and the errors that a check throws to report its own.
import { describeAnswer, type Exchange } from './exchange.ts';

/** Outcome of a check. */
export type CheckOutcome = 'passed' | 'failed' | 'not-verified' | 'not-applicable' | 'error';

/** Outcome of a requirement. Drift of a gap and remarks are notices, never an outcome. */
export type Outcome = 'passed' | 'failed' | 'partly' | 'not-verified' | 'error';

/** The outcome of a requirement by those of its checks; a check that is not applicable decides nothing. */
export function outcomeOf(checks: readonly CheckOutcome[]): Outcome {
  if (checks.includes('failed')) return 'failed';
  if (checks.includes('error')) return 'error';
  if (!checks.includes('passed')) return 'not-verified';
  return checks.includes('not-verified') ? 'partly' : 'passed';
}

/** What else shows that a promise is broken. */
export interface FurtherEvidence {
  /** More exchanges that show the same. */
  others?: readonly Exchange[];
  /** What came when, for a promise about time. */
  moments?: readonly Moment[];
}

/** Something that happened, or did not, so many milliseconds after the first. */
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

/** How a refusal is tried once more, to see whether it is about the call. */
export interface RefusalTrial {
  /** Sends the refused call again, or all that led to it; the same call unless stated. */
  again?: () => Promise<Exchange>;
  /** Sends a call of the kind that must pass, as one did before; one of the run's unless stated, and null where `again` sends one itself. */
  plain?: (() => Promise<Exchange>) | null;
  /** How often it is looked at; fewer times where the calls are limited. */
  looks?: number;
  /** What checks need that change what the call rests on, such as operation:delete-key: it is looked at for the last time before them. */
  spoiledBy?: string;
}

/** A call was refused that must be accepted. It counts only where that lasts: the run tries that before it fails the check. */
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

/** The check could not be made; the message says why, and what would make it possible. */
export class NotVerified extends Error {}

/** The check has no object at this deployment, such as limits across sites where the call names no site. */
export class NotApplicable extends Error {}

/**
 * What was caused at `since` (milliseconds since 1970, by the deployment's clock) has not come yet. The run goes on with other checks,
 * and makes this check again at its end. Steps that are made with `once` are not made again, so they never throw this.
 */
export class NotSeenYet extends Error {
  readonly since: number;
  constructor(expected: string, since: number) {
    super(`${expected} has not come yet`);
    this.since = since;
  }
}

/** The suite itself went wrong; never a verdict on the deployment. */
export class HarnessError extends Error {}

/** The deployment did not answer at all, or not in time; `isCertain` says that no request will be answered, however often it is sent. */
export class Unreachable extends Error {
  readonly isCertain: boolean;
  constructor(message: string, { isCertain = false } = {}) {
    super(message);
    this.isCertain = isCertain;
  }
}

/** The run would leave much behind, and nobody gave leave. */
export class LeaveNeeded extends Error {}

/** Why a run can't go on; the kind decides the exit code. */
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

/** The user has ended the run. */
export const interruption: Abort = { kind: 'interrupted', reason: 'the run was interrupted' };
