// Writes a JSON value in several valid styles.
import { writeJson } from '../core/parse-json.ts';

/** Like Python's json.dumps: a space after each separator, ASCII only. */
export function spacedJson(value: unknown): string {
  return asciiOnly(writeSpaced(value));
}

/** Non-ASCII characters and <, > and & as \uXXXX; a slash as \/. */
export function escapedJson(value: unknown): string {
  return asciiOnly(writeJson(value))
    .replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('/', '\\/');
}

/** Tabs, CRLF line ends and surrounding white space. */
export function windowsJson(value: unknown): string {
  return ` \r\n${writeJson(value, '\t').replaceAll('\n', '\r\n')}\r\n\r\n`;
}

/** Reverses the order of members at every level. */
export function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

function writeSpaced(value: unknown): string {
  if (typeof value !== 'object' || value === null) return writeJson(value);
  if (Array.isArray(value)) return `[${value.map(writeSpaced).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${writeJson(name)}: ${writeSpaced(member)}`);
  return `{${members.join(', ')}}`;
}

function asciiOnly(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
