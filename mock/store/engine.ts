// What keeps rows: a file, or a database server. Nothing of it knows what the rows mean.
import type { Batch, KeptRows, RowChange } from './rows/row.ts';
import type { ExchangesRow, JournalChange, JournalPlace } from './shared/journal.ts';

export interface OpenOptions {
  /** Whether it makes the tables where there are none. Default: true. */
  migrates?: boolean;
}

export interface Engine {
  /** As it is called for people, such as "SQLite". */
  name: string;
  /** Where it keeps them, without secrets. */
  place: string;
  worlds: WorldTable;
  /** The rows of a world; undefined of one that has none yet. Throws a StoreError if they can't be read. */
  load(worldId: number): Promise<KeptRows | undefined>;
  /** Does synchronous work while nobody else can change these worlds, and keeps what it returns: all or nothing. Throws a StoreError that says why not; then the work may have been done or not. Returns those of the worlds that are no more. */
  turn(members: readonly Member[]): Promise<number[]>;
  /** Of an engine that several processes use. */
  shared?: SharedEngine;
  /** Asks whether it answers. Throws a StoreError if it does not. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** A world that takes part in a turn. */
export interface Member {
  worldId: number;
  /** Whether it is going to keep how the world begins. */
  begins?: boolean;
  wish?: JournalWish | undefined;
  work(seen: Seen): Keeping;
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
  exchanges?: readonly ExchangesRow[];
}

export interface Keeping {
  /** Undefined: nothing has changed. */
  batch: Batch | undefined;
  /** How the world begins, as JSON, of a world that begins. */
  setup: string | undefined;
  journal?: JournalChange | undefined;
  /** When somebody has to look at the world, where nobody calls it; in milliseconds since 1970, by the clock of the engine. */
  nextDue: number | undefined;
}

/** The worlds of a store. Each of its methods throws a StoreError if that can't be. */
export interface WorldTable {
  /** Those that have expired are no more. */
  find(name: string): Promise<WorldRecord | undefined>;
  /** A page of those besides main, with what lists show of them, in the order in which they were made, or the other way round. */
  list(page: WorldsPage): Promise<WorldLine[]>;
  count(): Promise<number>;
  /** Undefined where there is one of that name already. */
  add(plan: WorldPlan): Promise<WorldRecord | undefined>;
  /** With all that is in it. Whether there was one. */
  remove(name: string): Promise<boolean>;
  /** The names of the worlds that are due now, besides main and these. */
  due(except: readonly number[]): Promise<string[]>;
}

interface WorldPlan {
  name: string;
  setup: string;
  /** What lists show of the setup. */
  summary: string;
  /** Milliseconds from now on; undefined: it does not expire. */
  expiresInMs: number | undefined;
}

export interface WorldsPage {
  /** Only those whose id is greater, or smaller where the newest come first. */
  cursor: number | undefined;
  limit: number;
  isNewestFirst: boolean;
}

/** By the clock of the engine, in milliseconds since 1970. */
interface WorldTimes {
  createdAt: number;
  expiresAt: number | undefined;
}

export interface WorldLine extends WorldTimes {
  id: number;
  name: string;
  /** What lists show of the setup. */
  summary: string;
  head: string;
}

export interface WorldRecord extends WorldTimes {
  id: number;
  name: string;
  /** How it began, as JSON; undefined of one that has not begun. */
  setup: string | undefined;
  /** What of it is no entry, as JSON; nothing of one that has no rows yet. */
  head: string;
  /** How long it lasts from now on, in milliseconds: clocks of machines differ. Undefined: it does not expire. */
  leftMs: number | undefined;
}

export interface SharedEngine {
  /** Of this process, as others know it. */
  id: string;
  /** Which of these worlds others have changed since the last turn of this process. Tells them that this process is there. */
  findNews(worldIds: readonly number[]): Promise<number[]>;
  /** How many processes use it now, and how many worlds there are. */
  counts(): { replicas: number; worlds: number };
  /** The next turn gives the whole world anew. */
  forget(worldId: number): void;
}

/** `gone`: the world, since another process has ended it. */
type FailureReason = 'unreachable' | 'full' | 'refused' | 'gone' | 'other';

/** Says what is wrong with a store, where, and what to do. */
export class StoreError extends Error {
  /** Whether the same may work soon. */
  isTransient: boolean;
  /** In a word, for those who count. */
  reason: FailureReason;

  constructor(
    message: string,
    { isTransient = false, reason = 'other' }: { isTransient?: boolean; reason?: FailureReason } = {},
  ) {
    super(message);
    this.isTransient = isTransient;
    this.reason = reason;
  }
}

/** Told of what can be read, and does not say what it has to. */
export function sayDamaged(place: string): string {
  return `store ${place}: what it keeps is damaged; name another one, and keep this one if what is in it is wanted`;
}

/** What it keeps as JSON. Throws a StoreError. */
export function readKept<Result>(place: string, read: () => Result): Result {
  try {
    return read();
  } catch {
    throw new StoreError(sayDamaged(place));
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
