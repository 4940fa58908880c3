// What a check of a receiver is: a plain object, as those of a deployment are.
import type { ReceiverContext } from './receiver-context.ts';

export interface ReceiverCheck {
  /** Stable and hyphenated: the requirement's id in lower case, or "advice", then what is tried. */
  id: string;
  /** Advice is what the document does not demand: a receiver that does otherwise is warned of. */
  requirement: 'RECV-1' | 'RECV-2' | 'advice';
  /** What is sent, in a few words. */
  what: string;
  /** How many pushes it sends, beside the right one that comes before every check. */
  pushes: number;
  /** Returns when all is well. Throws PushJudged, NotVerified, or anything else for an error of our own. */
  run(context: ReceiverContext): Promise<void>;
}
