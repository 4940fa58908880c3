// Looks into a store from outside of a mock, makes its tables, and removes them.
import { StoreError } from './engine.ts';

/** The tables could be removed, and were not. */
export class DropRefused extends StoreError {}

export interface StoreAdmin {
  /** Throws a StoreError if the store can't be read, and changes nothing. */
  report(): Promise<StoreReport>;
  /** Makes the tables where there are none. Throws a StoreError if that can't be, and for tables of another version. */
  migrate(): Promise<Migrated>;
  /** Removes the tables with all that is in them, and no others. Throws a StoreError if that can't be, and DropRefused for tables of another version and, unless forced, while mocks use them. */
  drop(options: { isForced: boolean }): Promise<Dropped>;
  /** Never fails. */
  close(): Promise<void>;
}

export interface StoreReport {
  /** Such as "SQLite". */
  engine: string;
  /** Without secrets. */
  place: string;
  tables: {
    /** 0: there are none. */
    version: number;
    /** The version that this version of sitepub makes. */
    known: number;
  };
  /** Why this version of sitepub can't use the store, and what to do; undefined: it can. Then there are neither replicas nor worlds here. */
  problem: string | undefined;
  /** Those that were seen in the last minute. */
  replicas: ReplicaReport[];
  /** In the order in which they were made. */
  worlds: WorldReport[];
}

export interface ReplicaReport {
  id: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  seenSecondsAgo: number;
}

export interface WorldReport {
  name: string;
  entries: number;
  /** Pushes that are to be sent, or are under way. */
  pending: number;
  /** For how long something could have been done there; 0: nothing is late. */
  overdueSeconds: number;
  /** Milliseconds since 1970; undefined: never. */
  expiresAt: number | undefined;
}

export interface Migrated {
  /** The version of the tables that were there; 0: there were none. */
  from: number;
  to: number;
  /** What was made. */
  titles: string[];
}

interface Dropped {
  /** How many there were; 0: there were no tables. */
  worlds: number;
}
