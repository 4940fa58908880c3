// The table of faults. Of two that are on at once, the later one wraps the earlier one.
import { accessFaults } from './access-faults.ts';
import { attemptFaults } from './attempt-faults.ts';
import { envelopeFaults } from './envelope-faults.ts';
import { eventFaults } from './event-faults.ts';
import type { Fault } from './fault.ts';
import { keyFaults } from './key-faults.ts';
import { rareInputFaults } from './rare-input-faults.ts';
import { repetitionFaults } from './repetition-faults.ts';
import { subscriptionFaults } from './subscription-faults.ts';

export const faults: readonly Fault[] = [
  ...envelopeFaults,
  ...accessFaults,
  ...keyFaults,
  ...subscriptionFaults,
  ...eventFaults,
  ...attemptFaults,
  ...repetitionFaults,
  ...rareInputFaults,
];
