// What a fault remembers beyond one call. It stands in the world, and is saved, kept and shared with that.
import { isDeepStrictEqual } from 'node:util';
import { timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';

/** What is remembered is plain data, and is replaced rather than changed. Keys are short, since databases have an index of them. The oldest is forgotten when it is too much. */
export interface Memory {
  /** Values by their keys. */
  map<Value>(name: string): MemoryMap<Value>;
  /** Keys alone. */
  set(name: string): MemorySet;
  /** One value; `first` until another is set. */
  value<Value>(name: string, first: Value): MemoryValue<Value>;
}

export interface MemoryMap<Value> {
  get(key: string | number): Value | undefined;
  set(key: string | number, value: Value): void;
  /** In the order in which the keys came. */
  entries(): [key: string, value: Value][];
}

interface MemorySet {
  has(key: string | number): boolean;
  add(key: string | number): void;
}

interface MemoryValue<Value> {
  get(): Value;
  set(value: Value): void;
}

/** The memory of one fault, by its id. The world is read anew each time: it can be replaced. */
export function createMemory(state: { readonly world: World }, fault: string): Memory {
  function map<Value>(name: string): MemoryMap<Value> {
    const memory = `${fault} ${name}`;
    const placeOf = (key: string | number) => `${memory} ${key}`;
    return {
      get: (key) => state.world.faultMemory.get(placeOf(key))?.value as Value | undefined,
      set(key, value) {
        const { world } = state;
        if (isDeepStrictEqual(world.faultMemory.get(placeOf(key))?.value, value)) return;
        const at = timeOf(world.clock);
        world.faultMemory.set(placeOf(key), { memory, at, value: structuredClone(value) });
      },
      entries: () =>
        [...state.world.faultMemory.of(memory)].map(([place, { value }]) => [
          place.slice(memory.length + 1),
          value as Value,
        ]),
    };
  }

  return {
    map,
    set(name) {
      const members = map<true>(name);
      return {
        has: (key) => members.get(key) ?? false,
        add: (key) => members.set(key, true),
      };
    },
    value<Value>(name: string, first: Value): MemoryValue<Value> {
      const only = map<Value>(name);
      return {
        get: () => only.get('') ?? first,
        set: (value) => only.set('', value),
      };
    },
  };
}
