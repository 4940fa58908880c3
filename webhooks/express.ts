// The entrance `sitepub/webhooks/express`. It does not import Express, so it also serves Connect and `node:http`.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ids } from './identifiers.ts';
import { joinBytes } from './join-bytes.ts';
import {
  type Answer,
  checkOptions,
  defaultMaxBytes,
  type ReceiverOptions,
  receive,
  tooLarge,
} from './receive.ts';

export type ExpressHandler = (
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => Promise<void>;

/** A handler that reads the raw body, so it must come before parsers such as `express.json()`. Throws TypeError without a secret. */
export function createExpressHandler<I extends Ids = 'number'>(options: ReceiverOptions<I>): ExpressHandler {
  checkOptions(options);
  return async (request, response, next) => {
    try {
      send(response, await answerTo(request, options));
    } catch (error) {
      if (next) next(error);
      else send(response, failed);
    }
  };
}

const failed: Answer = { status: 500, body: '{"error":"failed"}' };

async function answerTo<I extends Ids>(
  request: IncomingMessage & { body?: unknown },
  options: ReceiverOptions<I>,
): Promise<Answer> {
  const { headers } = request;
  const { maxBytes = defaultMaxBytes } = options;
  // The stream has been read: by `express.raw()`, whose bytes can be verified, or by a parser, whose object can't.
  if (request.readableDidRead)
    return isLonger(request.body, maxBytes) ? tooLarge : receive({ body: request.body, headers }, options);
  const body = await read(request, maxBytes);
  return body ? receive({ body, headers }, options) : tooLarge;
}

function isLonger(body: unknown, maxBytes: number): boolean {
  if (typeof body === 'string')
    return body.length > maxBytes || new TextEncoder().encode(body).length > maxBytes;
  return (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) && body.byteLength > maxBytes;
}

/** Reads to the end even of a body that is too long, since a sender may not read an answer while it is sending. */
function read(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => resolve(size > maxBytes ? undefined : joinBytes(chunks)));
    request.on('error', reject);
  });
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
}
