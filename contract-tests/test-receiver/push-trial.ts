import { PromiseBroken } from '../core/outcomes.ts';
import { type Answer, describeAnswer } from './push-answer.ts';
import type { Push } from './sent-push.ts';

/** A push and what came of it. */
export interface Trial {
  push: Push;
  answer: Answer;
  /** Whether the answer shows the secret, or the signature that would have been right. */
  isLeaky: boolean;
}

/** The receiver did otherwise than expected: a failure in a check of a promise, a warning in one of advice. */
export class PushJudged extends PromiseBroken {
  readonly push: Push;
  constructor(expected: string, { push, answer }: Pick<Trial, 'push' | 'answer'>, remark = '') {
    super(expected, `${describeAnswer(answer)}${remark}`);
    this.push = push;
  }
}
