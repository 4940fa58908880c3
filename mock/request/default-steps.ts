import type { RequestSteps } from '../service.ts';
import { authenticate } from './authenticate.ts';
import { findFirstAnswer, keepFirstAnswer, repetitionKeyOf } from './idempotency.ts';
import { countAgainstLimit } from './rate-limits.ts';
import { validateBody } from './validate-body.ts';

export const defaultRequestSteps: RequestSteps = {
  authenticate,
  countAgainstLimit: (call) => countAgainstLimit(call),
  validate: validateBody,
  repetitionKeyOf,
  findFirstAnswer,
  keepFirstAnswer,
  handle: (handler, call) => handler(call),
  answer: (_service, _exchange, answer) => answer,
};
