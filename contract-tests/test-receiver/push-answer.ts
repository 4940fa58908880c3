// The answers to pushes, and the failure that an unexpected one is.
import { PromiseBroken } from '../core/outcomes.ts';
import type { SentPush } from './sent-push.ts';

/** A push and its answer. */
export interface PushTrial {
  push: SentPush;
  answer: Answer;
  /** Whether the answer shows the secret, or the signature that would have been right. */
  isLeaky: boolean;
}

export type Answer = Answered | Silence;

export interface Answered {
  kind: 'answered';
  status: number;
  /** The beginning of the body. */
  text: string;
  retryAfter: string | undefined;
  ms: number;
}

/** No answer: the receiver could not be reached, closed the connection, or was too late. */
export interface Silence {
  kind: 'silence';
  reason: string;
  how: 'unreachable' | 'closed' | 'late';
  ms: number;
}

/** The receiver did not answer as expected: a failure in a check of a promise, a warning in one of advice. */
export class UnexpectedAnswer extends PromiseBroken {
  readonly push: SentPush;
  constructor(expected: string, { push, answer }: Pick<PushTrial, 'push' | 'answer'>, remark = '') {
    super(expected, `${describeAnswer(answer)}${remark}`);
    this.push = push;
  }
}

export function isAccepted(answer: Answer): boolean {
  return answer.kind === 'answered' && answer.status >= 200 && answer.status <= 299;
}

/** Whether the answer has one of the statuses. */
export function hasStatus(answer: Answer, ...statuses: readonly number[]): answer is Answered {
  return answer.kind === 'answered' && statuses.includes(answer.status);
}

/** Whether there is no answer, or one that blames the receiver itself. */
export function isBreakdown(answer: Answer): boolean {
  return answer.kind === 'silence' || answer.status >= 500;
}

/** "HTTP 401 unauthorized". */
export function describeAnswer(answer: Answer): string {
  if (answer.kind === 'silence') return `no answer: ${answer.reason}`;
  const { status, text } = answer;
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return `HTTP ${status}${shown === '' ? '' : ` ${shown}`}`;
}
