// A fault breaks one promise of the interface document and keeps all others: with it on, the suite must fail that one requirement.

import type { Steps } from '../service.ts';
import type { Source } from '../world/random.ts';

export interface Fault {
  id: string;
  /** What the service does wrong. */
  title: string;
  /** The requirement that it breaks. */
  requirement: string;
  wrap: Wrap;
}

/** Gives what stands in the place of some steps while the fault is on. Called when it is turned on, so what it remembers begins anew. */
export type Wrap = (steps: Steps, aids: FaultTools) => Partial<Steps>;

export interface FaultTools {
  /** A source of the fault's own: the same seed and the same text give the same numbers. */
  draw(text: string): Source;
}
