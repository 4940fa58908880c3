import { StoreError } from '../store-error.ts';

/** The only version of the tables that this sitepub creates and uses. */
export const tablesVersion = 1;

type Value = string | number | null;

/** Parameters are $1, $2 and so on; null in a row becomes undefined. */
export type Query = <Row extends object>(text: string, values?: readonly Value[]) => Promise<Row[]>;

export interface Database {
  /** Messages show it, so it has no secrets. */
  place: string;
  dialect: Dialect;
  /** Runs one caller after the other. Throws a StoreError that the store can't be `what`, and rolls back. */
  use<Result>(what: string, work: (query: Query) => Promise<Result>): Promise<Result>;
}

export interface Tables extends Database {
  /** Creates missing tables. Returns the version found before. Throws a StoreError for another version. */
  create(): Promise<number>;
  /** Never fails. */
  close(): Promise<void>;
}

/** Every engine has a function now(). */
export interface Dialect {
  engine: string;
  contents: string;
  noTables: string;
  useOthers: string;
  isShared: boolean;
  /** The tables whose column `world` refers to sitepub_world. */
  partsOfWorlds: readonly string[];
  /** Converts a time or an interval to milliseconds. */
  ms(expression: string): string;
  fromNow(milliseconds: string): string;
  /** Begins a transaction during which no other process creates or removes tables. */
  lock: readonly string[];
  erase: readonly string[];
  /** Returns 0 if there are no tables. */
  readVersion(query: Query): Promise<number>;
}

export function explainVersion(
  { place, dialect }: Pick<Database, 'place' | 'dialect'>,
  version: number,
): string | undefined {
  if (version === tablesVersion) return undefined;
  const { noTables, useOthers } = dialect;
  const problem =
    version === 0
      ? `${noTables}; run \`sitepub mock store migrate\`, or start a mock without \`--store-migrate never\``
      : `its tables have version ${version}, but this sitepub supports only version ${tablesVersion}; ${useOthers}`;
  return `store ${place}: ${problem}`;
}

/** Throws a StoreError if this sitepub can't use tables of a version. */
export function requireVersion(database: Pick<Database, 'place' | 'dialect'>, version: number): void {
  const problem = explainVersion(database, version);
  if (problem !== undefined) throw new StoreError(problem, { reason: 'refused' });
}

/** Casts to double, since a driver may return large integers as strings. */
export function asNumber(expression: string): string {
  return `cast(${expression} as double precision)`;
}

export function withoutNulls<Row>(rows: readonly object[]): Row[] {
  return rows.map((row) => {
    const members = Object.entries(row).map(([name, value]) => [name, value ?? undefined] as const);
    return Object.fromEntries(members) as Row;
  });
}
