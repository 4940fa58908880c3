// A database as those statements see it that are the same in each engine.

type Value = string | number | null;

/** Sends a statement, whose values are $1, $2 and so on. Rows have undefined in place of null. */
export type Query = <Row extends object>(text: string, values?: readonly Value[]) => Promise<Row[]>;

export interface Database {
  /** Where it is, without secrets. */
  place: string;
  dialect: Dialect;
  /** Works with it, one after the other. Throws a StoreError; what was not committed is undone then. */
  use<Result>(what: string, work: (query: Query) => Promise<Result>): Promise<Result>;
}

/** What each engine says in its own way. All of them have now(). */
export interface Dialect {
  /** Whether several processes use the database at the same time. */
  isShared: boolean;
  /** The tables besides sitepub_world whose rows are of a world. */
  partsOfWorlds: readonly string[];
  /** A time, or a span of time, in milliseconds. */
  ms(expression: string): string;
  /** The time in so many milliseconds. */
  fromNow(milliseconds: string): string;
  /** A query for the numbers in a JSON array. */
  numbersIn(array: string): string;
  /** The version of the tables; 0: there are none. */
  readVersion(query: Query): Promise<number>;
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
