// Parses a description as JSON or YAML, up to limits.
import { isObject, type Json } from '../../../openapi/json.ts';
import { yaml } from '../../../openapi/libraries.ts';
import { LearnError } from '../learn-error.ts';

/** In bytes. */
export const largestDescription = 16_777_216;
/** YAML is read a hundred times slower than JSON. */
const largestYaml = 4_194_304;
const deepest = 150;
const mostNodes = 3_000_000;

/** The object in a text; `name` is what messages call it. Throws LearnError. */
export function parseDescription(text: string, name: string): Json {
  const value = parse(text.replace(/^\uFEFF/, ''), name);
  if (!isObject(value))
    throw new LearnError(`${name} is no OpenAPI description: it holds no map; give a file in JSON or YAML`);
  requireBounded(value, name);
  return value;
}

function parse(text: string, name: string): unknown {
  if (/^\s*<(!doctype|html)/i.test(text))
    throw new LearnError(
      `${name} is a web page; give the address of the description behind it, such as /v3/api-docs, /openapi.json or /swagger.json`,
    );
  let asJson: unknown;
  try {
    if (/^\s*[{[]/.test(text)) return JSON.parse(text);
  } catch (error) {
    // What begins like JSON may still be YAML, unless it is long.
    if (text.length > 100_000 || error instanceof RangeError) throw unreadable(name, error);
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

function unreadable(name: string, error: unknown): LearnError {
  const isDeep = error instanceof RangeError;
  const [line = ''] = (error as Error).message.split('\n');
  const reason = isDeep ? 'it is nested too deeply' : line.replace(/:$/, '');
  return new LearnError(`${name} can't be read as JSON or YAML: ${reason}`);
}

/** What follows may call itself for each level, and look at each part. */
function requireBounded(root: Json, name: string): void {
  const seen = new Set<object>();
  const waiting: { value: object; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next;
    if (seen.has(value)) continue;
    seen.add(value);
    if (depth > deepest) throw new LearnError(`${name} is nested more than ${deepest} levels deep`);
    if (seen.size > mostNodes) throw new LearnError(`${name} has more than ${mostNodes} parts`);
    for (const part of Object.values(value))
      if (typeof part === 'object' && part !== null) waiting.push({ value: part, depth: depth + 1 });
  }
}
