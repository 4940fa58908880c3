// The answers to pushes, and the failure that an unexpected one is.
import { isObject } from '../../openapi/json.ts';
import { PromiseBroken } from '../core/outcomes.ts';
import { parseJson } from '../core/parse-json.ts';
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
  /** Its body was still coming when it was left. */
  isUnended: boolean;
}

/** No answer: the receiver could not be reached, took no connection in time, closed it, or answered too late. */
export interface Silence {
  kind: 'silence';
  reason: string;
  how: 'unreachable' | 'unconnected' | 'closed' | 'late';
  ms: number;
}

/** The receiver did not answer as expected: a failure in a check of a promise, a warning in one of advice. */
export class UnexpectedAnswer extends PromiseBroken {
  readonly push: SentPush;
  readonly answer: Answer;
  constructor(expected: string, { push, answer }: Pick<PushTrial, 'push' | 'answer'>, remark = '') {
    super(expected, `${describeAnswer(answer)}${remark}`);
    this.push = push;
    this.answer = answer;
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

/** Whether no answer came in time. No sentence of the document bounds that time. */
export function isLate(answer: Answer): boolean {
  return answer.kind === 'silence' && (answer.how === 'late' || answer.how === 'unconnected');
}

/** Whether the body of an answer says that the push is refused, whatever its status is. */
export function saysRefused(answer: Answer): boolean {
  const body = answer.kind === 'answered' ? parseJson(answer.text) : undefined;
  if (!isObject(body)) return false;
  const { code, errcode, success, ok, error } = body;
  const isCode = (value: unknown) => typeof value === 'number' && value !== 0 && value !== 200;
  return isCode(code) || isCode(errcode) || success === false || ok === false || Boolean(error);
}

/** Whether an answer says that it is the signature that is wrong. */
export function blamesSignature(answer: Answer): boolean {
  if (answer.kind === 'silence') return false;
  return answer.status === 401 || /signature|hmac|签名|验签/i.test(answer.text);
}

/** "HTTP 401 unauthorized". */
export function describeAnswer(answer: Answer): string {
  if (answer.kind === 'silence') return `no answer: ${answer.reason}`;
  const { status, text } = answer;
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return `HTTP ${status}${shown === '' ? '' : ` ${shown}`}`;
}
