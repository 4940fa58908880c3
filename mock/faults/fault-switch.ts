// Which faults are on. Those that are wrap the parts of the mock from outside, one around the other, in the order of the table.
import { nearest } from '../../openapi/nearest.ts';
import { namedSource } from '../named-source.ts';
import { ownParts, type Parts } from '../parts.ts';
import type { Fault } from './fault.ts';

export interface FaultSwitch {
  /** Their ids, in the order of the table. */
  on(): string[];
  /** Turns on those that are named, and all others off. Throws an Error where there is no such fault. */
  set(ids: readonly string[]): Promise<void>;
}

interface Wrapped {
  parts: Parts;
}

export function createFaultSwitch(core: Wrapped, seed: number): FaultSwitch {
  let chosen: readonly Fault[] = [];
  return {
    on: () => chosen.map(({ id }) => id),
    async set(ids) {
      const unknown = await explainUnknownFault(ids);
      if (unknown !== undefined) throw new Error(unknown);
      chosen = ids.length > 0 ? (await loadFaults()).filter(({ id }) => ids.includes(id)) : [];
      core.parts = chosen.reduce((parts, fault) => wrapIn(fault, parts, seed), ownParts);
    },
  };
}

/** The table, which a mock without faults need not load. */
export async function loadFaults(): Promise<readonly Fault[]> {
  return (await import('./faults.ts')).faults;
}

/** What to tell somebody who names a fault that there is not. */
export async function explainUnknownFault(ids: readonly string[]): Promise<string | undefined> {
  if (ids.length === 0) return undefined;
  const known = (await loadFaults()).map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return undefined;
  const guess = nearest(unknown, known);
  return `there is no fault "${unknown}"${guess ? `; did you mean "${guess}"?` : ''} (\`sitepub list faults\` shows all)`;
}

function wrapIn({ id, wrap }: Fault, parts: Parts, seed: number): Parts {
  return { ...parts, ...wrap(parts, { draw: (text) => namedSource(`${seed} ${id} ${text}`) }) };
}
