import { joinBytes } from './bytes.ts';
import { checkIds, type Ids } from './identifiers.ts';
import { type Answer, defaultMaxBytes, type ReceiverOptions, receive, tooLarge } from './receive.ts';

/**
 * Returns a handler for frameworks with Fetch: Next.js, Hono, Bun, Deno, edge functions. Throws TypeError for an unknown `ids`.
 * The handler rejects with TypeError without a secret, or if the body of the request was read before.
 */
export function createFetchHandler<I extends Ids = 'number'>(
  options: ReceiverOptions<I>,
): (request: Request) => Promise<Response> {
  const { maxBytes = defaultMaxBytes, ids } = options;
  if (ids !== undefined) checkIds(ids);
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { Allow: 'POST' } });
    if (request.bodyUsed)
      throw new TypeError('the body was read before the webhook handler; pass it the unread request');
    const body = await read(request, maxBytes);
    return respond(body ? await receive({ body, headers: request.headers }, options) : tooLarge);
  };
}

async function read({ body }: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}

function respond({ status, body }: Answer): Response {
  return new Response(body, { status, headers: { 'Content-Type': 'application/json' } });
}
