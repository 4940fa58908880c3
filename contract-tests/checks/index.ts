// The one list of checks, in the order in which they run.
import type { Check } from '../check.ts';
import { authentication } from './authentication/authentication.ts';
import { keys } from './authentication/keys.ts';
import { envelope } from './envelope/envelope.ts';
import { versioning } from './envelope/versioning.ts';
import { generatedCases } from './generated-cases/generated-cases.ts';
import { idempotency } from './idempotency/idempotency.ts';
import { limits, limitsAgain } from './limits/limits.ts';
import { chatMessages } from './pushes/channels.ts';
import { eventBodies } from './pushes/event-bodies.ts';
import { eventCauses } from './pushes/event-causes.ts';
import { signatures } from './pushes/signatures.ts';
import { deliveryLog } from './retries/delivery-log.ts';
import { retries } from './retries/retries.ts';
import { expiry } from './sessions/expiry.ts';
import { login } from './sessions/login.ts';
import { refresh } from './sessions/refresh.ts';
import { shownSubscriptions } from './subscriptions/shown-subscriptions.ts';
import { laterTests } from './subscriptions/subscription-tests.ts';
import { subscriptions } from './subscriptions/subscriptions.ts';

/** Checks that wait, or need many of the publishes of a minute. */
const isLate = ({ needs }: Check) => needs.some((need) => need === 'disruptive' || need.startsWith('wait:'));

/**
 * All checks. Generated cases come after the written ones of the same requirements. Checks that wait come late, the longest wait last;
 * then those that use up the limits, between which others may wait; and at the end those that look at every answer that
 * the others got.
 */
export const checks: readonly Check[] = [
  ...versioning,
  ...login,
  ...refresh,
  ...authentication,
  ...subscriptions,
  ...eventBodies,
  ...eventCauses,
  ...chatMessages,
  ...signatures,
  ...deliveryLog,
  ...keys,
  ...idempotency.filter((check) => !isLate(check)),
  ...generatedCases,
  ...expiry,
  ...laterTests,
  ...retries,
  ...limits,
  ...idempotency.filter(isLate),
  ...limitsAgain,
  ...shownSubscriptions,
  ...envelope,
];
