// Reads HAR 1.2 files, which contain secrets, so no output may quote them.
import type { Json } from '../../../openapi/json.ts';
import { parseExactly } from '../../core/parse-json.ts';
import { methods } from '../described-operation.ts';
import { listOf, objectOf, textOf } from '../fields.ts';
import { LearnError, parseSource, readSource } from '../learn-error.ts';

/** In bytes. */
const largestRecording = 268_435_456;
/** In characters. */
const longestBody = 4_194_304;

/** `body` and `answer` are undefined if they are not JSON. */
export type Exchange = ReturnType<typeof readEntry>[number];

/** Returns the answered calls. `name`: the file in messages and places. Throws LearnError. */
export function readHar(path: string, name: string): Exchange[] {
  return parseHar(readSource(path, largestRecording), name);
}

export function parseHar(text: string, name: string): Exchange[] {
  const refuse = (place: string) => `${name} is not JSON${place}, so it is not a HAR file; save it again`;
  const { entries } = objectOf(objectOf(parseSource(() => JSON.parse(text.trim()), refuse)).log);
  if (!Array.isArray(entries))
    throw new LearnError(`${name} is not a HAR file: it has no list log.entries; save the recording as HAR`);
  return entries.flatMap((entry, index) => readEntry(objectOf(entry), `entry ${index + 1} of ${name}`));
}

/** Skips preflights, redirects, WebSockets and unanswered requests. Malformed members count as absent. */
function readEntry({ request, response }: Json, place: string) {
  const { method: sent, url, headers, postData } = objectOf(request);
  const { status: answered, content } = objectOf(response);
  const method = methods.find((one) => one === textOf(sent).toUpperCase());
  const status = Number(textOf(answered));
  const isAnswered = (status >= 200 && status < 300) || status === 304 || (status >= 400 && status < 600);
  if (!method || !isAnswered) return [];
  const [text, answer] = [textIn(postData), jsonIn(textIn(content))];
  const body = jsonIn(text);
  const isOtherBody = body === undefined && (text !== '' || listOf(objectOf(postData).params).length > 0);
  const named = listOf(headers).map(objectOf);
  const byName = new Map(named.map(({ name, value }) => [textOf(name).toLowerCase(), textOf(value)]));
  return [{ method, url: textOf(url), headers: byName, body, isOtherBody, status, answer, place }];
}

/** Browsers omit long, binary or discarded bodies. */
function textIn(body: unknown): string {
  const { text, encoding } = objectOf(body);
  // Firefox declares plain texts as base64.
  const isEncoded = encoding === 'base64' && !/^\s*[[{]/.test(textOf(text));
  return isEncoded ? Buffer.from(textOf(text), 'base64').toString() : textOf(text);
}

function jsonIn(text: string): unknown {
  return text.length > longestBody || !/^\s*[[{]/.test(text) ? undefined : parseExactly(text.trim());
}
