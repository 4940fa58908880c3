// The outcomes of a check, and the errors that it throws to report them.
import type { Exchange } from './exchange.ts';

/** Outcome of a check or a requirement. Drift of a gap is an outcome of the gap, never of a requirement. */
export type Outcome = 'passed' | 'failed' | 'not-verified' | 'error';

/** From best to worst: a requirement's outcome is the worst of its checks'. */
export const outcomesByGravity: readonly Outcome[] = ['passed', 'not-verified', 'failed', 'error'];

/** The deployment breaks the promise that the check tests. */
export class PromiseBroken extends Error {
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange | undefined;
  constructor(expected: string, actual: string, exchange?: Exchange) {
    super(`expected ${expected}; got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.exchange = exchange;
  }
}

/** The check could not be made; the message says why, and what would make it possible. */
export class NotVerified extends Error {}

/** The suite itself went wrong; never a verdict on the deployment. */
export class HarnessError extends Error {}

/** The deployment did not answer at all. */
export class Unreachable extends Error {}

/** Why a run can't go on; the kind decides the exit code. */
export interface Abort {
  kind: 'wrong-address' | 'usage' | 'unreachable' | 'credentials' | 'rate-limited' | 'interrupted';
  reason: string;
}
