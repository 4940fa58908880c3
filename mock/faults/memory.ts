// What a fault remembers beyond one call is part of the world, and is persisted and shared with it.
import { isDeepStrictEqual } from 'node:util';
import { timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';

/** Values are plain data that is replaced, never mutated; keys must be short, since databases index them. */
export type Memory = ReturnType<typeof createMemory>;

/** Reads the world on each use, since a reset replaces it; the world evicts the oldest values. */
export function createMemory(state: { readonly world: World }, fault: string) {
  function map<Value>(name: string) {
    const memory = `${fault} ${name}`;
    const placeOf = (key: string | number) => `${memory} ${key}`;
    return {
      get: (key: string | number) => state.world.faultMemory.get(placeOf(key))?.value as Value | undefined,
      set(key: string | number, value: Value): void {
        const { world } = state;
        if (isDeepStrictEqual(world.faultMemory.get(placeOf(key))?.value, value)) return;
        const at = timeOf(world.clock);
        world.faultMemory.set(placeOf(key), { memory, at, value: structuredClone(value) });
      },
      /** In insertion order. */
      entries: (): [key: string, value: Value][] =>
        [...state.world.faultMemory.of(memory)].map(([place, { value }]) => [
          place.slice(memory.length + 1),
          value as Value,
        ]),
    };
  }

  function set(name: string) {
    const members = map<true>(name);
    return {
      has: (key: string | number) => members.get(key) ?? false,
      /** Returns whether the key is new. */
      add(key: string | number): boolean {
        const isNew = !members.get(key);
        members.set(key, true);
        return isNew;
      },
    };
  }

  function value<Value>(name: string, first: Value) {
    const only = map<Value>(name);
    return { get: () => only.get('') ?? first, set: (next: Value) => only.set('', next) };
  }

  return { map, set, value };
}
