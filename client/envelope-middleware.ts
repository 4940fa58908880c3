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
      // openapi-fetch needs an unread body, and status 200 since `code` decides about success.
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

/** A call that its caller aborts throws fetch's own error. */
function explain(error: unknown, request: Request, path: string): Error {
  if (request.signal.aborted && error instanceof Error) return error;
  const call = `${request.method} ${path}`;
  const message = `${call} got no answer from ${new URL(request.url).host} (${reasonOf(error)})`;
  return new ConnectionError(message, { call, cause: error });
}

/** Fetch says only "fetch failed"; its cause has the reason. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  if (typeof cause !== 'object' || cause === null) return String(cause);
  const { code, message } = cause as { code?: unknown; message?: unknown };
  return String(code ?? message);
}
