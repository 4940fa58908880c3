import type { ReceiverContext } from './receiver-context.ts';

export interface ReceiverCheck {
  /** Stable: the requirement id in lower case, or "advice", and the subject, hyphenated. */
  id: string;
  /** The interface document does not require advice, so not following it is a warning. */
  requirement: 'RECV-1' | 'RECV-2' | 'advice';
  what: string;
  /** The number of pushes, without the valid one before every check. */
  pushes: number;
  /** Throws UnexpectedAnswer or NotVerified; any other error is a suite error. */
  run(context: ReceiverContext): Promise<void>;
}

interface Advice {
  what: string;
  pushes: number;
  run(context: ReceiverContext): Promise<void>;
}

/** A check of advice: if it fails, the report warns. */
export function advice(name: string, { what, pushes, run }: Advice): ReceiverCheck {
  return { id: `advice-${name}`, requirement: 'advice', what, pushes, run };
}
