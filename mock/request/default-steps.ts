// The mock's own steps of a request.
import { authenticate } from '../authenticate.ts';
import { drawOnLimit } from '../limits.ts';
import { firstAnswer, keepFirstAnswer, sameness } from '../repeats.ts';
import type { RequestSteps } from '../service.ts';
import { validateBody } from '../validate-body.ts';

export const defaultRequestSteps: RequestSteps = {
  authenticate,
  drawOnLimit: (call) => drawOnLimit(call),
  validate: validateBody,
  sameness,
  firstAnswer,
  keepFirstAnswer,
  handle: (handler, call) => handler(call),
  answer: (_service, _exchange, answer) => answer,
};
