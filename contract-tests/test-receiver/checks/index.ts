import type { ReceiverCheck } from '../receiver-check.ts';
import { changedBodies } from './changed-bodies.ts';
import { eventHeader } from './event-header.ts';
import { forgedPushes, lostBodies } from './forgeries.ts';
import { pushForms } from './forms.ts';
import { garbage } from './garbage.ts';
import { load } from './load-and-size.ts';
import { acceptedAfterOthers, finalAdvice } from './looking-back.ts';
import { repeats } from './repeats.ts';
import { rightPush } from './right-push.ts';
import { eventPushes } from './seven-events.ts';
import { undocumented } from './unknown.ts';
import { wrongSignatures } from './wrong-signatures.ts';

/** In the order in which they run: promises, advice, pushes that may break a receiver, then checks of the whole run. */
export const receiverChecks: readonly ReceiverCheck[] = [
  rightPush,
  ...eventPushes,
  ...pushForms,
  ...wrongSignatures,
  ...changedBodies,
  ...forgedPushes,
  eventHeader,
  lostBodies,
  ...repeats,
  ...undocumented,
  ...garbage,
  ...load,
  acceptedAfterOthers,
  ...finalAdvice,
];
