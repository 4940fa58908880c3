// Statements as PostgreSQL reads them from its connections: https://www.postgresql.org/docs/current/protocol-message-formats.html

export interface Statement {
  text: string;
  /** Texts as PostgreSQL reads them. */
  values?: readonly (string | null)[];
  /** By which the server remembers it, so that it is planned once. One name has one text. */
  name?: string;
}

/** The statements one after the other, with one end: they are answered together. `known`: the names that the server remembers; new ones are added. */
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
