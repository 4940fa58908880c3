import type { RequestSteps } from '../service.ts';
import { authenticate } from './authenticate.ts';
import { firstAnswer, keepFirstAnswer, repetitionKeyOf } from './idempotency.ts';
import { drawOnLimit } from './rate-limits.ts';
import { validateBody } from './validate-body.ts';

export const defaultRequestSteps: RequestSteps = {
  authenticate,
  drawOnLimit: (call) => drawOnLimit(call),
  validate: validateBody,
  sameness: repetitionKeyOf,
  firstAnswer,
  keepFirstAnswer,
  handle: (handler, call) => handler(call),
  answer: (_service, _exchange, answer) => answer,
};
