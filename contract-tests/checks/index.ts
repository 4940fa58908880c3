// The one list of checks, in the order in which they run.
import type { Check } from '../check.ts';
import { authentication } from './authentication.ts';
import { chatMessages } from './channels.ts';
import { deliveryLog } from './delivery-log.ts';
import { envelope } from './envelope.ts';
import { eventBodies } from './event-bodies.ts';
import { eventCauses } from './event-causes.ts';
import { expiry } from './expiry.ts';
import { generatedCases } from './generated-cases.ts';
import { idempotency } from './idempotency.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { login } from './login.ts';
import { loginLimits } from './login-limits.ts';
import { refresh } from './refresh.ts';
import { retries } from './retries.ts';
import { signatures } from './signatures.ts';
import { laterTests } from './subscription-tests.ts';
import { subscriptions } from './subscriptions.ts';
import { versioning } from './versioning.ts';

/**
 * All checks. Generated cases come after those that say the same by hand; those that wait come late, the longest wait last; then those that nobody can log in after, and at the end the
 * envelope's, for they judge every answer that the others got.
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
  ...idempotency,
  ...limits,
  ...generatedCases,
  ...expiry,
  ...laterTests,
  ...retries,
  ...loginLimits,
  ...envelope,
];
