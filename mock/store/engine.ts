// What keeps rows: a file, or a database server. Nothing of it knows what the rows mean.
import type { Batch, KeptRows, RowChange } from './row.ts';
import type { ExchangeRow, JournalChange, JournalPlace } from './shared-journal.ts';

export interface Engine {
  /** As it is called for people, such as "SQLite". */
  name: string;
  /** Where it keeps them, without secrets. */
  place: string;
  /** How the world began, as JSON, or undefined of an empty store. Throws a StoreError. */
  readSetup(): Promise<string | undefined>;
  /** Throws a StoreError if the world can't be read. */
  load(): Promise<KeptRows>;
  /** Does synchronous work while nobody else can change the world, and keeps what it returns: all or nothing. Throws a StoreError that says why not; then the work may have been done or not. */
  turn(work: (seen: Seen) => Keeping, wish?: JournalWish): Promise<void>;
  /** Of an engine that several processes use. */
  shared?: SharedEngine;
  close(): Promise<void>;
}

/** From which request on the journal is to be read in a turn, if it is. */
export type JournalWish = (place: JournalPlace) => number | undefined;

/** What others have done, and when it is. */
export interface Seen {
  /** Since the last turn or load of this process; undefined: nothing. */
  others?: { head: string; rows: readonly RowChange[] };
  /** The whole world anew, where it was replaced, or where this process can't know what it has missed. */
  whole?: KeptRows;
  /** Milliseconds since 1970, by the clock of the engine; undefined: the clock of this machine. */
  now?: number;
  /** Requests of the journal, as it was wished. */
  exchanges?: readonly ExchangeRow[];
}

export interface Keeping {
  batches: readonly Batch[];
  /** How the world begins, as JSON, of a world that begins. */
  setup: string | undefined;
  journal?: JournalChange | undefined;
}

interface SharedEngine {
  /** Of this process, as others know it. */
  id: string;
  /** Whether others have changed the world since the last turn of this process. Tells them that this process is there. */
  hasNews(): Promise<boolean>;
  /** How many processes use it now. */
  countReplicas(): number;
  /** The next turn gives the whole world anew. */
  forget(): void;
}

/** Says what is wrong with a store, where, and what to do. */
export class StoreError extends Error {
  /** Whether the same may work soon. */
  isTransient: boolean;

  constructor(message: string, { isTransient = false } = {}) {
    super(message);
    this.isTransient = isTransient;
  }
}
