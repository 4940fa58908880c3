// The world stores which faults are on; each fault wraps the steps of those before it in the table.
import { didYouMean } from '../../openapi/nearest.ts';
import type { FaultSwitch, Steps } from '../service.ts';
import { namedSource } from '../world/random.ts';
import type { Turn } from '../world/turn.ts';
import type { World } from '../world/world.ts';
import type { Fault } from './fault.ts';
import { createMemory } from './memory.ts';

interface SwitchOptions {
  defaults: Steps;
  /** A reset or restore replaces `world`, so read it on each use. */
  state: { readonly world: World };
  change: Turn;
  seed: number;
}

export function createFaultSwitch({ defaults, state, change, seed }: SwitchOptions): FaultSwitch {
  let table: readonly Fault[] = [];
  let chosen: { ids: readonly string[]; steps: Steps } | undefined;

  /** Compares the ids by identity, since each change of the list stores a new array. */
  function steps(): Steps {
    const { faults: ids } = state.world;
    if (chosen?.ids !== ids) chosen = { ids, steps: faultsOn().reduce(applyFault, defaults) };
    return chosen.steps;
  }

  function faultsOn(): readonly Fault[] {
    return table.filter(({ id }) => state.world.faults.includes(id));
  }

  function applyFault(steps: Steps, { id, wrap }: Fault): Steps {
    const draw = (text: string) => namedSource(`${seed} ${id} ${text}`);
    return { ...steps, ...wrap(steps, { draw, memory: createMemory(state, id), change }) };
  }

  async function load(): Promise<void> {
    table = await loadFaults();
    chosen = undefined;
  }

  return {
    on: () => (table.length > 0 ? faultsOn().map(({ id }) => id) : [...state.world.faults]),
    steps,
    load,
    async set(ids) {
      const unknown = await explainUnknownFault(ids);
      if (unknown !== undefined) throw new Error(unknown);
      if (ids.length > 0) await load();
      await change(() => {
        state.world.faults = [...new Set(ids)];
        state.world.faultMemory.clear();
      });
    },
  };
}

/** Imports the table lazily, since most mocks run without faults. */
export async function loadFaults(): Promise<readonly Fault[]> {
  return (await import('./faults.ts')).faults;
}

/** Returns an error message for the first unknown id, or undefined if all are known. */
export async function explainUnknownFault(ids: readonly string[]): Promise<string | undefined> {
  if (ids.length === 0) return undefined;
  const known = (await loadFaults()).map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return undefined;
  return `there is no fault "${unknown}"${didYouMean(unknown, known)} (\`sitepub list faults\` shows all)`;
}
