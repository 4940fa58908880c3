/** A map that also knows its entries by what they belong to, such as the sites of each tenant. What an entry belongs to never changes. */
export class GroupedMap<Key, Entry, Group = number> extends Map<Key, Entry> {
  readonly #groupOf: (entry: Entry) => Group;
  readonly #groups = new Map<Group, Map<Key, Entry>>();

  constructor(groupOf: (entry: Entry) => Group, entries: Iterable<readonly [Key, Entry]> = []) {
    super();
    this.#groupOf = groupOf;
    for (const [key, entry] of entries) this.set(key, entry);
  }

  /** The entries of a group, in the order of the map. */
  of(group: Group): ReadonlyMap<Key, Entry> {
    return this.#groups.get(group) ?? (noEntries as ReadonlyMap<unknown, unknown> as ReadonlyMap<Key, Entry>);
  }

  override set(key: Key, entry: Entry): this {
    const before = this.get(key);
    const group = this.#groupOf(entry);
    // An entry of another group would have to stand between those that were added after it.
    if (before !== undefined && this.#groupOf(before) !== group) this.delete(key);
    const members = this.#groups.get(group) ?? new Map<Key, Entry>();
    this.#groups.set(group, members.set(key, entry));
    return super.set(key, entry);
  }

  override delete(key: Key): boolean {
    const entry = this.get(key);
    if (entry === undefined) return false;
    const group = this.#groupOf(entry);
    const members = this.#groups.get(group);
    members?.delete(key);
    if (members?.size === 0) this.#groups.delete(group);
    return super.delete(key);
  }

  override clear(): void {
    this.#groups.clear();
    super.clear();
  }
}

const noEntries: ReadonlyMap<never, never> = new Map<never, never>();

/** A map of what belongs to tenants. */
export function byTenant<Key, Entry extends { tenantId: number }>(
  entries?: Iterable<readonly [Key, Entry]>,
): GroupedMap<Key, Entry> {
  return new GroupedMap(({ tenantId }) => tenantId, entries);
}

/** A map of what belongs to sites. */
export function bySite<Key, Entry extends { siteId: number }>(
  entries?: Iterable<readonly [Key, Entry]>,
): GroupedMap<Key, Entry> {
  return new GroupedMap(({ siteId }) => siteId, entries);
}

/** A map of what faults remember, by their memories. */
export function byMemory<Key, Entry extends { memory: string }>(
  entries?: Iterable<readonly [Key, Entry]>,
): GroupedMap<Key, Entry, string> {
  return new GroupedMap(({ memory }) => memory, entries);
}

/** A map of what belongs to users, by their names. */
export function byUser<Key, Entry extends { username: string }>(
  entries?: Iterable<readonly [Key, Entry]>,
): GroupedMap<Key, Entry, string> {
  return new GroupedMap(({ username }) => username, entries);
}
