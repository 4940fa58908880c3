// The one list of checks, in the order in which they run.
import type { Check } from '../check.ts';
import { authentication } from './authentication.ts';
import { envelope } from './envelope.ts';
import { events } from './events.ts';
import { login } from './login.ts';
import { refresh } from './refresh.ts';
import { signatures } from './signatures.ts';
import { subscriptions } from './subscriptions.ts';
import { versioning } from './versioning.ts';

/** All checks. The envelope's come last, for they judge every answer that the others got. */
export const checks: readonly Check[] = [
  ...versioning,
  ...login,
  ...refresh,
  ...authentication,
  ...subscriptions,
  ...events,
  ...signatures,
  ...envelope,
];
