// Parses a description as JSON or YAML, up to limits.
import { isObject, type Json } from '../../../openapi/json.ts';
import { yaml } from '../../../openapi/libraries.ts';
import { LearnError, lineIn } from '../learn-error.ts';

/** In bytes. */
export const largestDescription = 16_777_216;
/** In characters. YAML takes a hundred times longer than JSON. */
const largestYaml = 4_194_304;

/** Returns the map in a text. `name` is what messages call it. Throws LearnError. */
export function parseDescription(text: string, name: string): Json {
  if (/^\s*<(!doctype|html)/i.test(text))
    throw new LearnError(
      `${name} is a web page; give the address of the description behind it, such as /v3/api-docs, /openapi.json or /swagger.json`,
    );
  const value = parse(text.replace(/^\uFEFF/, ''), name);
  if (!isObject(value))
    throw new LearnError(`${name} is no OpenAPI description: it holds no map; give a file in JSON or YAML`);
  return value;
}

function parse(text: string, name: string): unknown {
  let asJson: unknown;
  try {
    if (/^\s*[{[]/.test(text)) return JSON.parse(text);
  } catch (error) {
    // What begins like JSON may still be YAML, unless it is long.
    if (text.length > 100_000) throw unreadable(name, error);
    asJson = error;
  }
  if (text.length > largestYaml)
    throw new LearnError(`${name} is YAML of more than 4 MB; convert it to JSON first`);
  try {
    return yaml().parse(text, { uniqueKeys: false, logLevel: 'error', maxAliasCount: 1_000 });
  } catch (error) {
    throw unreadable(name, asJson ?? error);
  }
}

interface ParseError {
  /** Of YAML: "TAB_AS_INDENT". */
  code?: string;
  linePos?: readonly [start: { line: number }, end?: object];
  message: string;
}

/** The messages of parsers quote the text, which may hold secrets. */
function unreadable(name: string, error: unknown): LearnError {
  const { code = '', linePos, message } = error as ParseError;
  const line = linePos?.[0].line ?? lineIn(message);
  const reason =
    error instanceof RangeError ? 'it is nested too deeply' : code.toLowerCase().replaceAll('_', ' ');
  const place = line === undefined ? '' : ` at line ${line}`;
  return new LearnError(`${name} can't be read as JSON or YAML${place}${reason && `: ${reason}`}`);
}
