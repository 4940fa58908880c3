// Which entries of a map may have changed: those that were got, set or deleted. Who changes an entry must have got it by `get`.

interface Watched<Key> {
  /** Keys of what may have changed. */
  touched: Set<Key>;
  /** Keys that stand at the end of the map since then, in its order. */
  placed: Set<Key>;
}

export interface WatchedMap<Key, Entry> {
  /** What was noted since the last call. */
  takeTouched(): Watched<Key>;
  /** The map's own methods: nothing of it is noted. */
  quiet: {
    get(key: Key): Entry | undefined;
    set(key: Key, entry: Entry): void;
    delete(key: Key): void;
  };
}

/** Notes from now on what happens to the map. `onTouch` is called with the first of it, and with the first after each `takeTouched`. */
export function watchMap<Key, Entry>(map: Map<Key, Entry>, onTouch: () => void): WatchedMap<Key, Entry> {
  // Its own methods, or those of its class; other maps have theirs untouched.
  const { get, set, delete: remove, clear } = map;
  let watched: Watched<Key> = { touched: new Set(), placed: new Set() };
  let removals = 0;

  function touch(key: Key): void {
    if (watched.touched.size === 0) onTouch();
    watched.touched.add(key);
  }

  map.get = (key) => {
    const entry = get.call(map, key);
    if (entry !== undefined) touch(key);
    return entry;
  };
  map.set = (key, entry) => {
    touch(key);
    const isNew = !map.has(key);
    const before = removals;
    set.call(map, key, entry);
    // A grouped map removes what changes its group, and adds it anew.
    if (isNew || removals > before) place(key);
    return map;
  };
  map.delete = (key) => {
    if (!map.has(key)) return false;
    touch(key);
    removals++;
    watched.placed.delete(key);
    return remove.call(map, key);
  };
  map.clear = () => {
    for (const key of map.keys()) touch(key);
    watched.placed.clear();
    clear.call(map);
  };

  function place(key: Key): void {
    watched.placed.delete(key);
    watched.placed.add(key);
  }

  return {
    takeTouched() {
      const taken = watched;
      watched = { touched: new Set(), placed: new Set() };
      return taken;
    },
    quiet: {
      get: (key) => get.call(map, key),
      set: (key, entry) => void set.call(map, key, entry),
      delete: (key) => void remove.call(map, key),
    },
  };
}
