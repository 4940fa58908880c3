// Decompresses the body of an answer and parses it as JSON, within limits.
import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { ResponseMessage } from '../core/exchange.ts';
import { measureJson, mostLevels, mostValues, parseMeasured } from '../core/parse-json.ts';
import type { LargeAnswers } from './large-answers.ts';
import { mostBytes, type ReceivedAnswer, tooLong } from './receive-answer.ts';

const tooDeep = `its body is nested more than ${mostLevels} levels deep`;
const tooMany = `it has more than ${mostValues} values`;

/** Throws an Error beyond the limits. */
export function readAnswer(answer: ReceivedAnswer, large: LargeAnswers): ResponseMessage {
  const { status, headers } = answer;
  const body = decode(answer);
  const whole = body.toString('utf8');
  // Parsers may ignore a byte order mark, but need not (RFC 8259, section 8.1).
  const hasMark = whole.startsWith('\uFEFF');
  const text = hasMark ? whole.slice(1) : whole;
  const { levels, values } = measureJson(text);
  if (levels > mostLevels) throw new Error(tooDeep);
  if (values > mostValues) throw new Error(tooMany);
  large.count({ bytes: text.length, values });
  const found = { isUtf8: isUtf8(body), ...(hasMark && { hasMark }) };
  return { status, headers, text, json: parseMeasured(text), ...found };
}

type Decode = (body: Buffer, options: { maxOutputLength: number }) => Buffer;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** Servers may compress without Accept-Encoding (RFC 9110, section 12.5.3). Returns the body unchanged if decoding fails. */
function decode({ headers, body, endTurn }: ReceivedAnswer): Buffer {
  const name = String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  try {
    return decoder?.(body, { maxOutputLength: mostBytes }) ?? body;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new Error(tooLong);
    return body;
  } finally {
    endTurn();
  }
}
