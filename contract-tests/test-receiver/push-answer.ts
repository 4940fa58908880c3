import { isObject } from '../../openapi/json.ts';
import { PromiseBroken } from '../core/outcomes.ts';
import { parseJson } from '../core/parse-json.ts';
import type { SentPush } from './sent-push.ts';

export interface PushTrial {
  push: SentPush;
  answer: Answer;
  /** Whether the answer reveals the secret or the valid signature. */
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
  /** The body had not ended when the run stopped reading. */
  isUnended: boolean;
}

/** No answer: the receiver was unreachable, accepted no connection in time, closed it, or answered too late. */
export interface Silence {
  kind: 'silence';
  reason: string;
  how: 'unreachable' | 'unconnected' | 'closed' | 'late';
  ms: number;
}

/** An unexpected answer. It fails a check of a promise and is a warning in a check of advice. */
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

export function hasStatus(answer: Answer, ...statuses: readonly number[]): answer is Answered {
  return answer.kind === 'answered' && statuses.includes(answer.status);
}

export function isBreakdown(answer: Answer): boolean {
  return answer.kind === 'silence' || answer.status >= 500;
}

/** No answer in time. The interface document does not limit that time. */
export function isLate(answer: Answer): boolean {
  return answer.kind === 'silence' && (answer.how === 'late' || answer.how === 'unconnected');
}

/** Whether the body reports an error, regardless of the status. */
export function saysRefused(answer: Answer): boolean {
  const body = answer.kind === 'answered' ? parseJson(answer.text) : undefined;
  if (!isObject(body)) return false;
  const { code, errcode, success, ok, error } = body;
  const isCode = (value: unknown) => typeof value === 'number' && value !== 0 && value !== 200;
  return isCode(code) || isCode(errcode) || success === false || ok === false || Boolean(error);
}

/** Whether the answer reports a wrong signature. */
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
