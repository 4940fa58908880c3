// Sends several statements to a PostgreSQL server in one message, since half of the cost of a turn are system calls.
import type { Client, Connection, Submittable } from 'pg';

export interface Statement {
  text: string;
  /** Texts as PostgreSQL reads them. */
  values?: readonly (string | null)[];
  /** The name under which the server remembers the statement, so that it is planned once. One name has one text. */
  name?: string;
}

/** A row of an answer: its values as texts, in the order of the columns. */
export type TextRow = readonly (string | null)[];

/** The names that each connection has prepared. */
const prepared = new WeakMap<Connection, Set<string>>();

/**
 * Sends the statements, and returns the rows of each. After an error, what follows is not done; the connection is to be given up then.
 * Source: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY.
 * @param timeoutMs how long the answer is waited for; default: as the connection says
 */
export function sendTogether(
  db: Client,
  statements: readonly Statement[],
  timeoutMs?: number,
): Promise<TextRow[][]> {
  return new Promise((resolve, reject) => {
    const results: TextRow[][] = [];
    let rows: TextRow[] = [];
    const message: Submittable & AnswerHandlers = {
      ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
      callback: (error) => (error ? reject(error) : resolve(results)),
      submit: (connection) => submit(connection, statements),
      handleDataRow: ({ fields }) => void rows.push(fields),
      handleCommandComplete() {
        results.push(rows);
        rows = [];
      },
      // The driver replaces the callback when the time is over.
      handleError: (error) => message.callback(error),
      handleReadyForQuery: () => message.callback(),
    };
    db.query(message);
  });
}

/** The methods that the driver calls on its own queries. */
interface AnswerHandlers {
  query_timeout?: number;
  callback(error?: Error): void;
  handleDataRow(message: { fields: TextRow }): void;
  handleCommandComplete(): void;
  handleError(error: Error): void;
  handleReadyForQuery(): void;
}

function submit(connection: Connection, statements: readonly Statement[]): void {
  const known = prepared.get(connection) ?? new Set<string>();
  prepared.set(connection, known);
  const { stream } = connection;
  // In one system call: the driver would write each part of each statement by itself.
  stream.cork();
  for (const { text, name = '', values = [] } of statements) {
    if (!known.has(name)) connection.parse({ name, text, types: [] }, true);
    if (name !== '') known.add(name);
    connection.bind({ statement: name, values: [...values] }, true);
    connection.execute(null, true);
  }
  // With one end, they are answered together.
  connection.sync();
  stream.uncork();
}

/** An array of numbers, or of texts without anything that would have to be quoted. */
export function arrayOf(values: readonly (string | number | null | undefined)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`;
}

/** An array of texts. */
export function arrayOfTexts(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** An array of JSON: that has no control characters, so quoting is the same as in JSON. */
export function arrayOfJson(values: readonly (string | undefined)[]): string {
  return `{${values.map((value) => (value === undefined ? 'null' : JSON.stringify(value))).join(',')}}`;
}
