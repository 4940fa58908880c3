// Which faults are on. They wrap the steps of the mock, one around the other, in the order of the table.
import { nearest } from '../../openapi/nearest.ts';
import type { FaultSwitch, Steps } from '../service.ts';
import { namedSource } from '../world/random.ts';
import type { Fault } from './fault.ts';

interface SwitchOptions {
  /** The mock's own steps. */
  defaults: Steps;
  /** Replaces the steps in use. */
  use(steps: Steps): void;
  seed: number;
}

export function createFaultSwitch({ defaults, use, seed }: SwitchOptions): FaultSwitch {
  let chosen: readonly Fault[] = [];
  return {
    on: () => chosen.map(({ id }) => id),
    async set(ids) {
      const unknown = await explainUnknownFault(ids);
      if (unknown !== undefined) throw new Error(unknown);
      chosen = ids.length > 0 ? (await loadFaults()).filter(({ id }) => ids.includes(id)) : [];
      use(chosen.reduce((steps, fault) => applyFault(fault, steps, seed), defaults));
    },
  };
}

/** The table of faults, loaded only when it is needed. */
export async function loadFaults(): Promise<readonly Fault[]> {
  return (await import('./faults.ts')).faults;
}

/** The message about the first unknown fault among `ids`; undefined if all are known. */
export async function explainUnknownFault(ids: readonly string[]): Promise<string | undefined> {
  if (ids.length === 0) return undefined;
  const known = (await loadFaults()).map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return undefined;
  const guess = nearest(unknown, known);
  return `there is no fault "${unknown}"${guess ? `; did you mean "${guess}"?` : ''} (\`sitepub list faults\` shows all)`;
}

function applyFault({ id, wrap }: Fault, steps: Steps, seed: number): Steps {
  return { ...steps, ...wrap(steps, { draw: (text) => namedSource(`${seed} ${id} ${text}`) }) };
}
