import { type ByteLimit, bytesOf, type Limited } from './bytes.ts';

declare const isEdited: unique symbol;

/** An entry that `edit` has given, which may be changed in the turn. */
export type Editable<Entry> = Writable<Entry> & { readonly [isEdited]: true };

/** A value whose members, at any depth, can't be changed. */
export type ReadOnly<Value> = Value extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: ReadOnly<Value[Name]> }
    : Value;

/** A value whose members, at any depth, may be changed. */
export type Writable<Value> = Value extends readonly (infer Item)[]
  ? Item[]
  : Value extends object
    ? { -readonly [Name in keyof Value]: Writable<Value[Name]> }
    : Value;

/** What the table of collections says of one. */
export interface CollectionRule<Entry, Group> {
  /** What an entry belongs to; it never changes. */
  group?(entry: Entry): Group;
  /** The collection evicts its oldest entries once it has a tenth more. */
  most?: number;
  /** Each group evicts its oldest entry when it has more. */
  mostOfGroup?: number;
  /** An entry that is needed is evicted last. */
  isNeeded?(entry: Entry): boolean;
  /** The byte limit evicts the entries after those of other collections. */
  isLast?: boolean;
  /** When an entry was last changed, for the byte limit. */
  at?(entry: Entry): number;
  /** About how many bytes an entry takes in memory. Default: all of it is measured. */
  bytes?(entry: Entry): number;
}

/** Keys of entries that changed since they were last taken. */
export interface Marks<Key> {
  changed: Set<Key>;
  /** Keys that stand at the end of the collection since then, in its order. */
  placed: Set<Key>;
}

/** A collection may grow to this many times its limit with entries that are still needed. */
const mostNeeded = 8;
const growth = 0.1;

/** A map with a limit. Its entries are read-only; `edit` gives one to be changed, and marks it for the store. */
export class Collection<Key, Entry extends object, Group = never> extends Map<Key, Entry> implements Limited {
  readonly #rule: CollectionRule<Entry, Group>;
  /** Undefined: the bytes of this collection are not limited. */
  readonly #limit: ByteLimit | undefined;
  readonly #groups = new Map<Group, Map<Key, Entry>>();
  readonly #sizes = new Map<Key, number>();
  /** Keys whose size has to be measured again. */
  readonly #edited = new Set<Key>();
  #bytes = 0;
  #evicted = 0;
  /** The size from which entries are looked through, to evict some. */
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

  /** The entries of a group, in the order of the collection. */
  of(group: Group): ReadonlyMap<Key, Entry> {
    return this.#groups.get(group) ?? new Map<Key, Entry>();
  }

  /** About how many bytes the entries take; 0 where they are not limited. */
  get bytes(): number {
    if (this.#edited.size > 0) {
      for (const key of this.#edited) this.#measure(key);
      this.#edited.clear();
    }
    return this.#bytes;
  }

  /** How many entries were deleted to make room. */
  get evicted(): number {
    return this.#evicted;
  }

  /** Gives an entry to be changed. Throws an Error if there is none. */
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

  /** Makes an entry the last one, as the one that was used last. */
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

  /** Takes over an entry of a store or a seed, neither marked nor limited. Undefined: it is no more. */
  adopt(key: Key, entry: Entry | undefined): void {
    if (entry === undefined) this.#remove(key);
    else this.#put(key, entry);
  }

  /** Marks changes from now on. `onMark` is called with the first one, and with the first after each call of what is returned, which takes the marks. */
  follow(onMark: () => void): () => Marks<Key> {
    this.#onMark = onMark;
    let marks = this.#startMarks();
    return () => {
      const taken = marks;
      // Most collections have no marks in a turn.
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

  /** For a collection with an order of its own: an entry has come. */
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

  /** Returns whether the entry stands at the end. */
  #put(key: Key, entry: Entry): boolean {
    const { group } = this.#rule;
    const before = this.get(key);
    // An entry of another group would have to stand between those that were added after it.
    if (before !== undefined && group?.(before) !== group?.(entry)) this.#remove(key);
    else if (before !== undefined) this.left?.(before);
    const isNew = !this.has(key);
    super.set(key, entry);
    this.entered?.(entry);
    if (group) this.#groups.set(group(entry), this.#membersWith(entry).set(key, entry));
    if (this.#limit) this.#measure(key);
    return isNew;
  }

  /** Those of the group of an entry. */
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
    // Looking through needed ones at each addition would cost quadratic time.
    this.#mostNow = Math.max(most * (1 + growth), this.size + growth * most);
  }
}
