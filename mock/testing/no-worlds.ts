import type { Engine } from '../store/engine.ts';

/** Of an engine that keeps main alone. */
export const noWorlds: Engine['worlds'] = {
  find: () => Promise.resolve(undefined),
  list: () => Promise.resolve([]),
  count: () => Promise.resolve(1),
  add: () => Promise.resolve(undefined),
  remove: () => Promise.resolve(false),
  due: () => Promise.resolve([]),
};
