// The same JSON value in bytes of many kinds, all of them valid.

/** As Python writes it: a space after each separator, and ASCII alone. */
export function spacedJson(value: unknown): string {
  return asciiOnly(writeJson(value, ', ', ': '));
}

/** What is not ASCII, and what HTML knows, as \uXXXX; a slash as \/. */
export function escapedJson(value: unknown): string {
  return asciiOnly(JSON.stringify(value))
    .replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('/', '\\/');
}

/** On lines of their own, which end as those of Windows do, with tabs, and with empty space around the whole. */
export function windowsJson(value: unknown): string {
  return ` \r\n${JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n')}\r\n\r\n`;
}

/** Members in the opposite order, also within objects. */
export function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

function writeJson(value: unknown, comma: string, colon: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item, comma, colon)).join(comma)}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}${colon}${writeJson(member, comma, colon)}`,
  );
  return `{${members.join(comma)}}`;
}

function asciiOnly(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
