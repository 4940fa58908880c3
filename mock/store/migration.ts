/** Makes the next version of the tables. It is never changed: stores have it. */
export interface Migration {
  /** What it adds, for people. */
  title: string;
  sql: string;
}
