// A fault breaks one promise of the interface document and keeps all others: with it on, the suite must fail exactly its requirement.
// Where the document does not forbid it in so many words, the suite must make a remark and fail nothing.

import type { Steps } from '../service.ts';
import type { Source } from '../world/random.ts';

export interface Fault {
  id: string;
  /** What the service does wrong. */
  title: string;
  /** The requirement it breaks. */
  requirement: string;
  /** The id of the suite's remark, where the document does not forbid it in so many words. */
  remark?: string;
  wrap: Wrap;
}

/** Returns replacements for some steps. Called each time the fault is turned on, so its memory starts empty. */
export type Wrap = (steps: Steps, tools: FaultTools) => Partial<Steps>;

interface FaultTools {
  /** A random source for this fault: the same seed and text yield the same numbers. */
  draw(text: string): Source;
}

/** A fault that remembers something: `create` declares it as default parameters, so it starts empty each time. */
export function withMemory(create: () => Wrap): Wrap {
  return (steps, tools) => create()(steps, tools);
}

/** Applies several wraps, each around the one before. */
export function combineWraps(...wraps: readonly Wrap[]): Wrap {
  return (steps, tools) => {
    const changed: Partial<Steps> = {};
    for (const wrap of wraps) Object.assign(changed, wrap({ ...steps, ...changed }, tools));
    return changed;
  };
}
