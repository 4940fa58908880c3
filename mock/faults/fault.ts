// A fault breaks one promise of the interface document and keeps all others: with it on, the suite must fail exactly its requirement.
// Where the document does not forbid it in so many words, the suite must make a remark and fail nothing.

import type { Steps } from '../service.ts';
import type { Source } from '../world/random.ts';
import type { Turn } from '../world/turn.ts';
import type { Memory } from './memory.ts';

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

/** Returns replacements for some steps. Called anew for each request, event and attempt: what has to last longer stands in the memory. */
export type Wrap = (steps: Steps, tools: FaultTools) => Partial<Steps>;

interface FaultTools {
  /** A random source for this fault: the same seed and text yield the same numbers. */
  draw(text: string): Source;
  memory: Memory;
  /** For what changes the world after something was waited for. */
  change: Turn;
}

/** A fault that remembers something in the world. */
export function withMemory(create: (memory: Memory) => Wrap): Wrap {
  return (steps, tools) => create(tools.memory)(steps, tools);
}

/** A fault that hands something from one step of a call to a later one; `create` declares it as default parameters. */
export function withinCall(create: () => Wrap): Wrap {
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
