// What a fault remembers beyond one call. It stands in the world, and is saved, kept and shared with that.
import { isDeepStrictEqual } from 'node:util';
import { timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';

/** What is remembered is plain data, and is replaced rather than changed. Keys are short, since databases have an index of them. The oldest is forgotten when it is too much. */
export type Memory = ReturnType<typeof createMemory>;

/** The memory of one fault, by its id. The world is read anew each time: it can be replaced. */
export function createMemory(state: { readonly world: World }, fault: string) {
  /** Values by their keys. */
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
      /** In the order in which the keys came. */
      entries: (): [key: string, value: Value][] =>
        [...state.world.faultMemory.of(memory)].map(([place, { value }]) => [
          place.slice(memory.length + 1),
          value as Value,
        ]),
    };
  }

  /** Keys alone. */
  function set(name: string) {
    const members = map<true>(name);
    return {
      has: (key: string | number) => members.get(key) ?? false,
      /** Whether it was new. */
      add(key: string | number): boolean {
        const isNew = !members.get(key);
        members.set(key, true);
        return isNew;
      },
    };
  }

  /** One value; `first` until another is set. */
  function value<Value>(name: string, first: Value) {
    const only = map<Value>(name);
    return { get: () => only.get('') ?? first, set: (next: Value) => only.set('', next) };
  }

  return { map, set, value };
}
