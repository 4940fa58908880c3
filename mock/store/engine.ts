// An engine stores rows in a file or on a database server, and does not know what they mean.
import type { Batch, KeptRows, RowChange } from './rows.ts';
import type { ExchangesRow, JournalChange, JournalPlace } from './shared/journal.ts';
import type { WorldTable } from './sql/worlds.ts';

export interface OpenOptions {
  /** Whether to make the tables if there are none. Default: true. */
  migrates?: boolean;
}

export interface Engine {
  /** For people, such as "SQLite". */
  name: string;
  /** Where the rows are, without secrets. */
  place: string;
  worlds: WorldTable;
  /** The rows of a world; undefined: it has none yet. Throws a StoreError if they can't be read. */
  load(worldId: number): Promise<KeptRows | undefined>;
  /**
   * Does synchronous work while nobody else can change these worlds, and persists all of what it returns or nothing.
   * Returns the worlds that do not exist any more. Throws a StoreError; then the work may have been done or not.
   */
  turn(members: readonly Member[]): Promise<number[]>;
  /** Undefined: one process alone uses the engine. */
  shared?: {
    /** The id of this process. */
    id: string;
    /** The worlds that others have changed since the last turn of this process. Also tells others that this process is alive. */
    findNews(worldIds: readonly number[]): Promise<number[]>;
    /** How many processes use the engine now, and how many worlds there are. */
    counts(): { replicas: number; worlds: number };
    /** The next turn gives the whole world anew. */
    forget(worldId: number): void;
  };
  /** Throws a StoreError if the engine does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** A world that takes part in a turn. */
export interface Member {
  worldId: number;
  wish?: JournalWish | undefined;
  work(seen: Seen): Keeping;
}

/** Returns after which request a turn reads the journal; undefined: it does not. */
export type JournalWish = (place: JournalPlace) => number | undefined;

/** What others have done, and the time. */
export interface Seen {
  /** Changes of others since the last turn or load of this process; undefined: none. */
  others?: { head: string; rows: readonly RowChange[] };
  /** The whole world, if it was replaced, or if this process can't know what it has missed. */
  whole?: KeptRows;
  /** Milliseconds since 1970, by the clock of the engine; undefined: the clock of this machine. */
  now?: number;
  /** The requests of the journal that were wished for. */
  exchanges?: readonly ExchangesRow[];
}

export interface Keeping {
  /** Undefined: nothing has changed. */
  batch: Batch | undefined;
  journal?: JournalChange | undefined;
  /** When a process has to look at the world if nobody calls it, in milliseconds since 1970 by the clock of the engine. */
  nextDue: number | undefined;
}
