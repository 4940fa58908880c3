// Reads an answer to its end, or to the limits beyond which it is a lost one.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { ResponseMessage } from '../core/exchange.ts';
import { measureJson, mostLevels, mostValues, parseMeasured } from '../core/parse-json.ts';
import { type LargeAnswers, largeBytes, limitLargeAnswers } from './large-answers.ts';

/** The longest body that is read, in bytes: as it comes, and decompressed. */
const mostBytes = 8 * 1_048_576;

const tooLong = `its body is longer than ${mostBytes / 1_048_576} MB`;
const tooDeep = `its body is nested more than ${mostLevels} levels deep`;
const tooMany = `it has more than ${mostValues} values`;

/** Reads an answer. Rejects where it ends too early, or goes beyond the limits; the connection is closed then. */
export async function readAnswer(
  answer: IncomingMessage,
  large: LargeAnswers = limitLargeAnswers(),
): Promise<ResponseMessage> {
  const { statusCode = 0, headers } = answer;
  if (statusCode < 200) {
    answer.destroy();
    throw new Error(`HTTP ${statusCode} is the last of it`);
  }
  const body = await readBody(answer, large);
  const whole = body.toString('utf8');
  // Whoever reads JSON may ignore a mark, and may not (RFC 8259, section 8.1).
  const hasMark = whole.startsWith('\uFEFF');
  const text = hasMark ? whole.slice(1) : whole;
  const { levels, values } = measureJson(text);
  if (levels > mostLevels) throw new Error(tooDeep);
  if (values > mostValues) throw new Error(tooMany);
  large.count({ bytes: text.length, values });
  const found = { isUtf8: isUtf8(body), ...(hasMark && { hasMark }) };
  return { status: statusCode, headers, text, json: parseMeasured(text), ...found };
}

async function readBody(answer: IncomingMessage, large: LargeAnswers): Promise<Buffer> {
  const decode = decoderOf(answer);
  const chunks: Buffer[] = [];
  let length = 0;
  let endTurn: (() => void) | undefined;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      length += chunk.length;
      // Leaving the loop destroys the stream, and the connection with it.
      if (length > mostBytes) throw new Error(tooLong);
      if (length > largeBytes) endTurn ??= await large.turn();
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks, length);
    return decode?.(body) ?? body;
  } finally {
    endTurn?.();
  }
}

type Decode = (body: Buffer, options: { maxOutputLength: number }) => Buffer;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** A server may compress for a client that says nothing of codings (RFC 9110, section 12.5.3). What can't be decoded stays as it came. */
function decoderOf({ headers }: IncomingMessage): ((body: Buffer) => Buffer) | undefined {
  const name = String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
  const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  return (
    decode &&
    ((body) => {
      try {
        return decode(body, { maxOutputLength: mostBytes });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new Error(tooLong);
        return body;
      }
    })
  );
}
