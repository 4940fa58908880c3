import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';

interface Advice {
  what: string;
  pushes: number;
  run(context: ReceiverContext): Promise<void>;
}

/** A check of advice: if it fails, the report warns. */
export function advice(name: string, { what, pushes, run }: Advice): ReceiverCheck {
  return { id: `advice-${name}`, requirement: 'advice', what, pushes, run };
}
