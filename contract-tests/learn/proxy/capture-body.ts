// Keeps a copy of a body that passes, up to a limit, and decodes it.
import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** The longest body that is kept, as it comes and decoded, and all that are on their way together, in bytes. */
export const captureLimits = { body: 4_194_304, all: 67_108_864 };

/** How much is being kept at the moment. */
export interface CaptureBudget {
  bytes: number;
}

export interface CapturedBody {
  /** The body as text; undefined where it was too long, or is written in a coding that nobody knows. To be called at its end. */
  text(): string | undefined;
  release(): void;
}

/** Begins to keep a copy of what a message holds. */
export function captureBody(message: IncomingMessage, budget: CaptureBudget): CapturedBody {
  let [pieces, length, isWhole]: [Buffer[], number, boolean] = [[], 0, true];
  const release = () => {
    budget.bytes -= length;
    [pieces, length] = [[], 0];
  };
  message.on('data', (piece: Buffer) => {
    if (!isWhole) return;
    length += piece.length;
    budget.bytes += piece.length;
    pieces.push(piece);
    if (length <= captureLimits.body && budget.bytes <= captureLimits.all) return;
    isWhole = false;
    release();
  });
  return {
    text: () => (isWhole ? decode(Buffer.concat(pieces), message.headers['content-encoding']) : undefined),
    release,
  };
}

type Decode = (body: Buffer, options: { maxOutputLength: number }) => Buffer;

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
]);

function decode(body: Buffer, coding = 'identity'): string | undefined {
  const name = coding.trim().toLowerCase();
  if (name === 'identity' || name === '' || body.length === 0) return body.toString();
  try {
    return decoders.get(name)?.(body, { maxOutputLength: captureLimits.body }).toString();
  } catch {
    return undefined;
  }
}
