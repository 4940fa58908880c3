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
  // As one buffer: the driver would write each part of each statement by itself.
  connection.stream.write(wireMessage(statements, known));
}

/**
 * The statements one after the other as the server reads them, with one end: they are answered together.
 * Source: https://www.postgresql.org/docs/current/protocol-message-formats.html.
 * `known`: the names that the server remembers; new ones are added.
 */
export function wireMessage(statements: readonly Statement[], known: Set<string>): Buffer {
  const buffer = Buffer.allocUnsafe(mostBytes(statements));
  let at = 0;
  const int16 = (value: number) => {
    at = buffer.writeInt16BE(value, at);
  };
  const int32 = (value: number) => {
    at = buffer.writeInt32BE(value, at);
  };
  const text = (value: string) => {
    at += buffer.write(value, at);
  };
  const ended = (value: string) => {
    text(value);
    at = buffer.writeUInt8(0, at);
  };
  /** Their number stands before the bytes that `write` writes; in that of a message it counts itself. */
  const counted = (write: () => void, itself: number) => {
    const start = at;
    at += 4;
    write();
    buffer.writeInt32BE(at - start - 4 + itself, start);
  };
  const message = (kind: string, write: () => void) => {
    text(kind);
    counted(write, 4);
  };
  for (const { text: query, name = '', values = [] } of statements) {
    if (name === '' || !known.has(name))
      message('P', () => {
        ended(name);
        ended(query);
        int16(0);
      });
    if (name !== '') known.add(name);
    message('B', () => {
      ended('');
      ended(name);
      // All values are texts, and so are those of the answer.
      int16(0);
      int16(values.length);
      for (const value of values)
        if (value === null) int32(-1);
        else counted(() => text(value), 0);
      int16(0);
    });
    message('E', () => {
      ended('');
      int32(0);
    });
  }
  message('S', () => {});
  return buffer.subarray(0, at);
}

/** No character takes more than three bytes. */
function mostBytes(statements: readonly Statement[]): number {
  return statements.reduce(
    (sum, { text, name = '', values = [] }) =>
      sum +
      64 +
      3 * (text.length + 2 * name.length) +
      values.reduce((all, value) => all + 4 + 3 * (value?.length ?? 0), 0),
    16,
  );
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
