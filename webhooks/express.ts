// Entry point `sitepub/webhooks/express`. It does not import Express, so that it also serves Connect and `node:http`.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { joinBytes, toBytes } from './bytes.ts';
import type { Ids } from './identifiers.ts';
import {
  type Answer,
  checkOptions,
  defaultMaxBytes,
  type ReceiverOptions,
  receive,
  tooLarge,
} from './receive.ts';
import { WebhookVerificationError } from './verification.ts';

export type ExpressHandler = (
  request: ParsedRequest,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => Promise<void>;

/** A parser may have read the body. NestJS, Firebase and Cloud Functions store the raw body in `rawBody`. */
type ParsedRequest = IncomingMessage & { body?: unknown; rawBody?: unknown };

/**
 * Returns a handler that verifies the raw body. Mount it before parsers such as `express.json()`, unless they store the raw body in
 * `rawBody`. Throws TypeError without a secret or for an unknown `ids`.
 */
export function createExpressHandler<I extends Ids = 'number'>(options: ReceiverOptions<I>): ExpressHandler {
  checkOptions(options);
  return async (request, response, next) => {
    try {
      send(response, await answerTo(request, options));
    } catch (error) {
      if (next) next(error);
      else send(response, answerToFailure(error));
    }
  };
}

/** Shows only mistakes in the set-up, because an error of `onEvent` may contain anything. */
function answerToFailure(error: unknown): Answer {
  const told = error instanceof WebhookVerificationError && { error: error.reason, message: error.message };
  return { status: 500, body: JSON.stringify(told || { error: 'failed' }) };
}

const readBefore = `a parser read the body before the webhook handler and did not store the raw body: mount the handler before express.json(), or store the bytes in request.rawBody (NestJS: rawBody: true; Next.js: config.api.bodyParser = false)`;

async function answerTo<I extends Ids>(request: ParsedRequest, options: ReceiverOptions<I>): Promise<Answer> {
  const { headers } = request;
  const { maxBytes = defaultMaxBytes } = options;
  if (!request.readableDidRead) {
    const body = await read(request, maxBytes);
    return body ? receive({ body, headers }, options) : tooLarge;
  }
  // The bytes or the text from a parser can be verified, a parsed object cannot. A text parser may drop a byte order mark.
  const body = toBytes(request.rawBody) ?? toBytes(request.body);
  if (body) return body.length > maxBytes ? tooLarge : receive({ body, headers }, options);
  const error = new WebhookVerificationError({ reason: 'wrong-body-type', message: readBefore });
  options.onRejected?.(error);
  throw error;
}

/** Reads a body that is too long to its end, because a sender may not read an answer while it sends. */
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
