// What the SQL that all engines share knows of a database.
import { StoreError } from '../store-error.ts';

/** The version of the tables that this sitepub makes, and the only one that it uses. */
export const tablesVersion = 1;

type Value = string | number | null;

/** Sends a statement, whose values are $1, $2 and so on. Rows have undefined in place of null. */
export type Query = <Row extends object>(text: string, values?: readonly Value[]) => Promise<Row[]>;

export interface Database {
  /** Where the database is, without secrets. */
  place: string;
  dialect: Dialect;
  /** Works with the database, one caller after the other. Throws a StoreError; then nothing stays that was not committed. */
  use<Result>(what: string, work: (query: Query) => Promise<Result>): Promise<Result>;
}

/** The tables, for `sitepub mock store`. */
export interface Tables extends Database {
  /** Makes the tables if there are none. Returns the version of those that were there. Throws a StoreError for those of another version. */
  create(): Promise<number>;
  /** Never fails. */
  close(): Promise<void>;
}

/** What differs between engines. All of them have now(). */
export interface Dialect {
  /** Such as "SQLite". */
  engine: string;
  /** What the tables hold, for people. */
  contents: string;
  /** What to say where there are no tables. */
  noTables: string;
  /** What to do about tables of another version. */
  useOthers: string;
  /** Whether several processes use the database at the same time. */
  isShared: boolean;
  /** The tables besides sitepub_world whose rows are of a world. */
  partsOfWorlds: readonly string[];
  /** A time, or a span of time, in milliseconds. */
  ms(expression: string): string;
  /** The time in so many milliseconds. */
  fromNow(milliseconds: string): string;
  /** Begins a transaction in which nobody else makes or removes tables. */
  lock: readonly string[];
  /** Makes what was in removed tables unreadable. */
  erase: readonly string[];
  /** The version of the tables; 0: there are none. */
  readVersion(query: Query): Promise<number>;
}

/** Why this sitepub can't use tables of a version, and what to do; undefined: it can. */
export function explainVersion(
  { place, dialect }: Pick<Database, 'place' | 'dialect'>,
  version: number,
): string | undefined {
  if (version === tablesVersion) return undefined;
  const { noTables, useOthers } = dialect;
  const problem =
    version === 0
      ? `${noTables}; run \`sitepub mock store migrate\`, or start a mock without \`--store-migrate never\``
      : `its tables are of version ${version}, and this version of sitepub knows those up to ${tablesVersion}; ${useOthers}`;
  return `store ${place}: ${problem}`;
}

/** Throws a StoreError if this sitepub can't use tables of a version. */
export function requireVersion(database: Pick<Database, 'place' | 'dialect'>, version: number): void {
  const problem = explainVersion(database, version);
  if (problem !== undefined) throw new StoreError(problem, { reason: 'refused' });
}

/** A number as JavaScript has it, where drivers would give large ones as texts. */
export function asNumber(expression: string): string {
  return `cast(${expression} as double precision)`;
}

export function withoutNulls<Row>(rows: readonly object[]): Row[] {
  return rows.map((row) => {
    const members = Object.entries(row).map(([name, value]) => [name, value ?? undefined] as const);
    return Object.fromEntries(members) as Row;
  });
}
