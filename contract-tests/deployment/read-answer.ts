// Reads an answer to its end, or to the limits beyond which it is a lost one.
import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { ResponseMessage } from '../core/exchange.ts';
import { isTooDeep, mostLevels, parseJson } from '../core/parse-json.ts';
import { type LargeAnswers, largeBytes, limitLargeAnswers } from './large-answers.ts';

/** The longest body that is read, in bytes: as it comes, and decompressed. */
const mostBytes = 8 * 1_048_576;

const tooLong = `its body is longer than ${mostBytes / 1_048_576} MB`;
const tooDeep = `its body is nested more than ${mostLevels} levels deep`;

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
  const body = decodeBody(await readBody(answer, large), String(headers['content-encoding'] ?? ''));
  large.count(body.length);
  const text = body.toString('utf8');
  if (isTooDeep(text)) throw new Error(tooDeep);
  return { status: statusCode, headers, text, json: parseJson(text) };
}

async function readBody(answer: IncomingMessage, large: LargeAnswers): Promise<Buffer> {
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
    return Buffer.concat(chunks, length);
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
function decodeBody(body: Buffer, coding: string): Buffer {
  const name = coding.trim().toLowerCase();
  const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  try {
    return decode ? decode(body, { maxOutputLength: mostBytes }) : body;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new Error(tooLong);
    return body;
  }
}
