// Stands between the client and the wire: lets through what is a success in the service's envelope, and nothing else.
import type { Middleware } from 'openapi-fetch';
import { checkAnswer } from './check-answer.ts';
import { ConnectionError } from './errors.ts';

export function createEnvelopeMiddleware(password: string | undefined): Middleware {
  return {
    onError: ({ error, request, schemaPath }) => explain(error, request, schemaPath),
    async onResponse({ request, response, schemaPath }) {
      const text = await readText(response, request, schemaPath);
      const { status, headers } = response;
      const secrets = [password, request.headers.get('Authorization')?.replace(/^Bearer /, '')];
      checkAnswer(
        { status, location: headers.get('Location'), text },
        { call: `${request.method} ${schemaPath}`, secrets },
      );
      // Of an answer that is read already, openapi-fetch reads this; what is a success is said by `code`, not by the status.
      return new Response(text, { status: 200 });
    },
  };
}

async function readText(response: Response, request: Request, path: string): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw explain(error, request, path);
  }
}

/** A caller who has ended the call by its signal gets what fetch says of that. */
function explain(error: unknown, request: Request, path: string): Error {
  if (request.signal.aborted && error instanceof Error) return error;
  const call = `${request.method} ${path}`;
  const message = `${call} got no answer from ${new URL(request.url).host} (${reasonOf(error)})`;
  return new ConnectionError(message, { call, cause: error });
}

/** fetch says only "fetch failed", and the reason in its cause. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  if (typeof cause !== 'object' || cause === null) return String(cause);
  const { code, message } = cause as { code?: unknown; message?: unknown };
  return String(code ?? message);
}
