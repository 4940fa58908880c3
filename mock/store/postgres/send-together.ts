// Sends several statements to PostgreSQL in one message, since system calls are half of the cost of a turn.
import type { Client, Connection, Submittable } from 'pg';
import { lazilyFor } from '../../../openapi/libraries.ts';

export interface Statement {
  text: string;
  /** In the text format of PostgreSQL. */
  values?: readonly (string | null)[];
  /** Names a prepared statement, which the server plans once; one name always has the same text. */
  name?: string;
}

type TextRow = readonly (string | null)[];

const preparedOn = lazilyFor((_connection: Connection) => new Set<string>());

/** Returns the rows of each statement; after an error the connection must be dropped. https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY */
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
      // The driver replaces `callback` to apply query_timeout, so it is looked up at each call.
      handleError: (error) => message.callback(error),
      handleReadyForQuery: () => message.callback(),
    };
    db.query(message);
  });
}

/** Members that the driver uses and `Submittable` does not declare. */
interface AnswerHandlers {
  query_timeout?: number;
  callback(error?: Error): void;
  handleDataRow(message: { fields: TextRow }): void;
  handleCommandComplete(): void;
  handleError(error: Error): void;
  handleReadyForQuery(): void;
}

function submit(connection: Connection, statements: readonly Statement[]): void {
  const known = preparedOn(connection);
  const { stream } = connection;
  // Corked for one system call, since the driver writes each part of each statement separately.
  stream.cork();
  for (const { text, name = '', values = [] } of statements) {
    if (!known.has(name)) connection.parse({ name, text, types: [] }, true);
    if (name !== '') known.add(name);
    connection.bind({ statement: name, values: [...values] }, true);
    connection.execute(null, true);
  }
  // After an error, the server skips the other statements up to this sync.
  connection.sync();
  stream.uncork();
}

export function arrayOf(values: readonly (string | number | null | undefined)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`;
}

export function arrayOfTexts(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** A PostgreSQL array of JSON texts, which contain no control characters and can be quoted as in JSON. */
export function arrayOfJson(values: readonly (string | undefined)[]): string {
  return `{${values.map((value) => (value === undefined ? 'null' : JSON.stringify(value))).join(',')}}`;
}
