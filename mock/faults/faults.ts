// The table of faults. Of two that are on at once, the later one stands around the earlier one.
import { authenticationFaults } from './authentication.ts';
import { channelFaults } from './channels.ts';
import { envelopeFaults } from './envelope.ts';
import { eventFaults } from './events.ts';
import type { Fault } from './fault.ts';
import { idempotencyFaults } from './idempotency.ts';
import { keyFaults } from './keys.ts';
import { limitFaults } from './limits.ts';
import { rareInputFaults } from './rare-inputs.ts';
import { retryFaults } from './retries.ts';
import { sessionFaults } from './sessions.ts';
import { signatureFaults } from './signatures.ts';
import { subscriptionFaults } from './subscriptions.ts';

export const faults: readonly Fault[] = [
  ...envelopeFaults,
  ...sessionFaults,
  ...authenticationFaults,
  ...keyFaults,
  ...subscriptionFaults,
  ...eventFaults,
  ...channelFaults,
  ...signatureFaults,
  ...retryFaults,
  ...limitFaults,
  ...idempotencyFaults,
  ...rareInputFaults,
];
