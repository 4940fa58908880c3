// The order matters: of two faults that are on, the later one wraps the earlier one.
import { authenticationFaults } from './authentication-faults.ts';
import { channelFaults } from './channel-faults.ts';
import { envelopeFaults } from './envelope-faults.ts';
import { eventFaults } from './event-faults.ts';
import type { Fault } from './fault.ts';
import { idempotencyFaults } from './idempotency-faults.ts';
import { keyFaults } from './key-faults.ts';
import { limitFaults } from './limit-faults.ts';
import { rareInputFaults } from './rare-input-faults.ts';
import { retryFaults } from './retry-faults.ts';
import { sessionFaults } from './session-faults.ts';
import { signatureFaults } from './signature-faults.ts';
import { subscriptionFaults } from './subscription-faults.ts';

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
