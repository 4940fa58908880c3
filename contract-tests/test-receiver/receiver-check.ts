// A check of a receiver: a plain object, like the checks of a deployment.
import type { ReceiverContext } from './receiver-context.ts';

export interface ReceiverCheck {
  /** Stable and hyphenated: the requirement's id in lower case, or "advice", and what is checked. */
  id: string;
  /** Advice is not demanded by the document: not following it is a warning. */
  requirement: 'RECV-1' | 'RECV-2' | 'advice';
  /** What is sent, in a few words. */
  what: string;
  /** How many pushes it sends, besides the right one before every check. */
  pushes: number;
  /** Throws UnexpectedAnswer, NotVerified, or any other error for a mistake of the suite. */
  run(context: ReceiverContext): Promise<void>;
}
