// What keeps rows: a file, or later a database server. Nothing of it knows what the rows mean.
import type { Batch, KeptRows } from './row.ts';

export interface Engine {
  /** As it is called for people, such as "SQLite". */
  name: string;
  /** Where it keeps them, without secrets. */
  place: string;
  /** How the world began, as JSON, or undefined of an empty store. */
  readSetup(): Promise<string | undefined>;
  /** Throws a StoreError if the world can't be read. */
  load(): Promise<KeptRows>;
  /** Keeps all of these together, or nothing of them; with a setup, of a world that begins. Throws a StoreError that says why not. */
  write(batches: readonly Batch[], setup?: string): Promise<void>;
  close(): Promise<void>;
}

/** Says what is wrong with a store, where, and what to do. */
export class StoreError extends Error {}
