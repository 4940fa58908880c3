// The parts of the mock that the pipeline and the dispatcher reach through the service, so that others can be put in their place from outside.
import type { Answer } from './answers.ts';
import { authenticate } from './authenticate.ts';
import type { Exchange } from './exchange.ts';
import { drawOnLimit } from './limits.ts';
import type { AnyCall, AnyHandler, Values } from './operations/call.ts';
import type { Body } from './read-body.ts';
import { firstAnswer, keepFirstAnswer, sameness } from './repeats.ts';
import type { Service } from './service.ts';
import { validateBody } from './validate-body.ts';
import { isDelivered } from './webhooks/is-delivered.ts';
import { pushHeaders } from './webhooks/push-headers.ts';
import { recipientsOf } from './webhooks/recipients.ts';
import { recordDelivery } from './webhooks/record-delivery.ts';
import { nextRetryAt } from './webhooks/retries.ts';
import type { Message } from './webhooks/send.ts';
import type { Delivery } from './world.ts';

export interface Parts {
  authenticate: typeof authenticate;
  drawOnLimit: (call: AnyCall) => () => void;
  /** Throws what it refuses of a body. */
  validate: (call: AnyCall, body: Body) => void;
  sameness: typeof sameness;
  firstAnswer: typeof firstAnswer;
  keepFirstAnswer: typeof keepFirstAnswer;
  handle: (handler: AnyHandler, call: AnyCall) => Values | Promise<Values>;
  /** An answer on its way out. */
  answer: (service: Service, exchange: Exchange, answer: Answer) => Answer;
  recipientsOf: typeof recipientsOf;
  recordDelivery: typeof recordDelivery;
  /** What an attempt sends. */
  message: (delivery: Delivery, now: number, profile: Service['profile']) => Message;
  isDelivered: typeof isDelivered;
  nextRetryAt: typeof nextRetryAt;
}

/** The mock's own. */
export const ownParts: Parts = {
  authenticate,
  drawOnLimit,
  validate: validateBody,
  sameness,
  firstAnswer,
  keepFirstAnswer,
  handle: (handler, call) => handler(call),
  answer: (_service, _exchange, answer) => answer,
  recipientsOf,
  recordDelivery,
  message: (delivery, now, profile) => ({
    headers: pushHeaders(delivery, now, profile),
    body: delivery.body,
  }),
  isDelivered,
  nextRetryAt,
};
