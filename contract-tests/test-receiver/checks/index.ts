// The one list of checks of receivers, in the order in which they run.
import type { ReceiverCheck } from '../receiver-check.ts';
import { changedBodies } from './changed-bodies.ts';
import { eventHeader } from './event-header.ts';
import { forms } from './forms.ts';
import { garbage } from './garbage.ts';
import { load } from './load-and-size.ts';
import { lookingBack, steadiness } from './looking-back.ts';
import { repeats } from './repeats.ts';
import { rightPush } from './right-push.ts';
import { events } from './seven-events.ts';
import { unknown } from './unknown.ts';
import { wrongSignatures } from './wrong-signatures.ts';

/** All checks. What may break a receiver comes late; what is told of the whole run comes last. */
export const receiverChecks: readonly ReceiverCheck[] = [
  rightPush,
  ...events,
  ...forms,
  eventHeader,
  ...wrongSignatures,
  ...changedBodies,
  ...repeats,
  ...unknown,
  ...garbage,
  ...load,
  steadiness,
  ...lookingBack,
];
