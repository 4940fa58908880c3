// An engine stores opaque rows in a SQLite file or a PostgreSQL database.
import type { Batch, RowChange, StoredRows } from './rows.ts';
import type { ExchangesRow, JournalChange, JournalPosition } from './shared/journal.ts';
import type { WorldTable } from './sql/worlds.ts';

export interface OpenOptions {
  /** Whether to create missing tables. Default: true. */
  migrates?: boolean;
}

export interface Engine {
  name: string;
  /** Messages show it, so it has no secrets. */
  place: string;
  worlds: WorldTable;
  /** Undefined: the world has no rows yet. Throws a StoreError if they can't be read. */
  load(worldId: number): Promise<StoredRows | undefined>;
  /** Locks the worlds while each `work` runs, and persists all changes or none. Returns the ids of deleted worlds. Throws a StoreError, maybe after `work` ran. */
  turn(members: readonly Member[]): Promise<number[]>;
  /** Undefined if only one process can use the engine. */
  shared?: {
    id: string;
    /** Returns the worlds that others have changed since this process last saw them, and records that it is alive. */
    findNews(worldIds: readonly number[]): Promise<number[]>;
    counts(): { replicas: number; worlds: number };
    /** Makes the next turn pass the whole world to `work`. */
    forget(worldId: number): void;
  };
  /** Throws a StoreError if the engine does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface Member {
  worldId: number;
  wish?: JournalWish | undefined;
  work(seen: Seen): TurnChanges;
}

/** Returns the number of the request after which a turn reads the journal; undefined: it reads none. */
export type JournalWish = (position: JournalPosition) => number | undefined;

export interface Seen {
  /** Changes by other processes since the last turn or load of this one. */
  others?: { head: string; rows: readonly RowChange[] };
  /** The whole world, if it was replaced or the changes since the last turn are unknown. */
  whole?: StoredRows;
  /** Milliseconds since 1970 by the clock of the engine; undefined: this machine's clock counts. */
  now?: number;
  exchanges?: readonly ExchangesRow[];
}

export interface TurnChanges {
  batch: Batch | undefined;
  journal?: JournalChange | undefined;
  /** When a process has to load the world for its next job, in milliseconds since 1970 by the clock of the engine. */
  nextDue: number | undefined;
}
