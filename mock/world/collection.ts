import { type ByteLimit, bytesOf, type Limited } from './bytes.ts';

declare const isEdited: unique symbol;

/** Only `edit` returns this type; the entry may be changed until the turn ends. */
export type Editable<Entry> = Writable<Entry> & { readonly [isEdited]: true };

export type ReadOnly<Value> = Value extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: ReadOnly<Value[Name]> }
    : Value;

export type Writable<Value> = Value extends readonly (infer Item)[]
  ? Item[]
  : Value extends object
    ? { -readonly [Name in keyof Value]: Writable<Value[Name]> }
    : Value;

export interface CollectionRule<Entry, Group> {
  /** `edit` must not change the group of an entry. */
  group?(entry: Entry): Group;
  /** Limit of entries; the oldest are evicted once it is exceeded by a tenth. */
  most?: number;
  mostOfGroup?: number;
  /** Needed entries are evicted last. */
  isNeeded?(entry: Entry): boolean;
  /** The byte limit evicts these entries after the entries of other collections. */
  isLast?: boolean;
  /** The time by which the byte limit finds the oldest entries, in milliseconds since 1970. */
  at?(entry: Entry): number;
  /** Estimated memory of an entry. Default: `bytesOf`. */
  bytes?(entry: Entry): number;
}

export interface Marks<Key> {
  changed: Set<Key>;
  /** Keys added or moved to the end since the marks were last taken, in the order of the collection. */
  placed: Set<Key>;
}

/** Needed entries may exceed the limit of entries by this factor. */
const mostNeeded = 8;
const growth = 0.1;

/** A map with limits, whose entries are read-only; changes go through `edit`, which marks them for the store. */
export class Collection<Key, Entry extends object, Group = never> extends Map<Key, Entry> implements Limited {
  readonly #rule: CollectionRule<Entry, Group>;
  readonly #limit: ByteLimit | undefined;
  readonly #groups = new Map<Group, Map<Key, Entry>>();
  readonly #sizes = new Map<Key, number>();
  /** Keys whose size is measured on demand, since callers change an entry after `edit` returns it. */
  readonly #edited = new Set<Key>();
  #bytes = 0;
  #evicted = 0;
  /** The size above which `set` looks for entries to evict. */
  #mostNow: number;
  #marks: Marks<Key> | undefined;
  #onMark = () => {};

  constructor(rule: CollectionRule<Entry, Group> = {}, limit?: ByteLimit) {
    super();
    this.#rule = rule;
    this.#limit = limit;
    this.#mostNow = (rule.most ?? Number.POSITIVE_INFINITY) * (1 + growth);
    limit?.add(this);
  }

  of(group: Group): ReadonlyMap<Key, Entry> {
    return this.#groups.get(group) ?? new Map<Key, Entry>();
  }

  get bytes(): number {
    if (this.#edited.size > 0) {
      for (const key of this.#edited) this.#measure(key);
      this.#edited.clear();
    }
    return this.#bytes;
  }

  get evicted(): number {
    return this.#evicted;
  }

  edit(key: Key): Editable<Entry> {
    const entry = this.get(key);
    if (entry === undefined) throw new Error(`there is no entry ${String(key)} to edit`);
    this.#mark(key);
    if (this.#limit) {
      this.#limit.fit(entry);
      this.#edited.add(key);
    }
    return entry as unknown as Editable<Entry>;
  }

  override set(key: Key, entry: Entry): this {
    this.#mark(key);
    if (this.#put(key, entry)) this.#place(key);
    if (this.size > this.#mostNow) this.#evictOldest();
    if (this.#rule.mostOfGroup !== undefined) this.#evictOfGroup(this.#rule.mostOfGroup, entry);
    this.#limit?.fit(entry);
    return this;
  }

  moveToEnd(key: Key): void {
    const entry = this.get(key);
    if (entry === undefined) return;
    this.#place(key);
    super.delete(key);
    super.set(key, entry);
    const members = this.#membersWith(entry);
    members.delete(key);
    members.set(key, entry);
  }

  override delete(key: Key): boolean {
    if (!this.has(key)) return false;
    this.#mark(key);
    this.#marks?.placed.delete(key);
    return this.#remove(key);
  }

  override clear(): void {
    for (const key of [...this.keys()]) this.delete(key);
  }

  /** Sets an entry of a store or a seed, or deletes it (undefined), without marks or limits. */
  adopt(key: Key, entry: Entry | undefined): void {
    if (entry === undefined) this.#remove(key);
    else this.#put(key, entry);
  }

  /** Starts marking, and returns a function that takes the marks. `onMark` is called on the first change after each take. */
  follow(onMark: () => void): () => Marks<Key> {
    this.#onMark = onMark;
    let marks = this.#startMarks();
    return () => {
      const taken = marks;
      if (taken.changed.size + taken.placed.size > 0) marks = this.#startMarks();
      return taken;
    };
  }

  candidates(): ReturnType<Limited['candidates']> {
    const { at, isNeeded, isLast = false } = this.#rule;
    return [...this].map(([key, entry]) => ({
      entry,
      at: at?.(entry) ?? 0,
      isNeeded: isLast || (isNeeded?.(entry) ?? false),
      remove: () => this.#evict(key),
    }));
  }

  /** Called when an entry comes or goes, so that a subclass can maintain an order. */
  protected entered?(entry: Entry): void;
  protected left?(entry: Entry): void;

  #startMarks(): Marks<Key> {
    this.#marks = { changed: new Set(), placed: new Set() };
    return this.#marks;
  }

  #mark(key: Key): void {
    if (!this.#marks) return;
    if (this.#marks.changed.size === 0) this.#onMark();
    this.#marks.changed.add(key);
  }

  #place(key: Key): void {
    this.#marks?.placed.delete(key);
    this.#marks?.placed.add(key);
  }

  /** Returns whether the entry is new, and so at the end. */
  #put(key: Key, entry: Entry): boolean {
    const { group } = this.#rule;
    const before = this.get(key);
    // In another group, the entry would belong before members added after it, so it is removed and added at the end.
    if (before !== undefined && group?.(before) !== group?.(entry)) this.#remove(key);
    else if (before !== undefined) this.left?.(before);
    const isNew = !this.has(key);
    super.set(key, entry);
    this.entered?.(entry);
    if (group) this.#groups.set(group(entry), this.#membersWith(entry).set(key, entry));
    if (this.#limit) this.#measure(key);
    return isNew;
  }

  #membersWith(entry: Entry): Map<Key, Entry> {
    const { group } = this.#rule;
    return (group && this.#groups.get(group(entry))) ?? new Map<Key, Entry>();
  }

  #remove(key: Key): boolean {
    const entry = this.get(key);
    if (entry === undefined) return false;
    this.left?.(entry);
    const members = this.#membersWith(entry);
    members.delete(key);
    if (members.size === 0 && this.#rule.group) this.#groups.delete(this.#rule.group(entry));
    if (this.#limit) {
      this.#bytes -= this.#sizes.get(key) ?? 0;
      this.#sizes.delete(key);
    }
    return super.delete(key);
  }

  #evict(key: Key): void {
    this.#evicted++;
    this.delete(key);
  }

  #measure(key: Key): void {
    const entry = this.get(key);
    const { bytes = bytesOf } = this.#rule;
    const size = entry ? bytes(entry) : 0;
    this.#bytes += size - (this.#sizes.get(key) ?? 0);
    if (entry) this.#sizes.set(key, size);
  }

  #evictOfGroup(most: number, added: Entry): void {
    const members = this.#membersWith(added);
    for (const key of members.keys()) {
      if (members.size <= most) break;
      this.#evict(key);
    }
  }

  #evictOldest(): void {
    const { most = 0, isNeeded = () => false } = this.#rule;
    for (const [key, entry] of this) {
      if (this.size <= most) break;
      if (this.size > mostNeeded * most || !isNeeded(entry)) this.#evict(key);
    }
    // Scanning needed entries on each addition would take quadratic time.
    this.#mostNow = Math.max(most * (1 + growth), this.size + growth * most);
  }
}
