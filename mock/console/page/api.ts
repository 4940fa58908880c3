import { createControlClient } from './control-client.ts';
import { parseExactly, writeExactly } from './exact-json.ts';

export type { Schemas } from '../../../openapi/generated/control-types.ts';

/** The control API begins at the directory of this page. */
const root = new URL('.', document.baseURI);
const tokenName = 'sitepub control token';

/** Security: the token stays in this tab until it is closed, and never becomes part of a URL. */
export function rememberToken(token: string): void {
  sessionStorage.setItem(tokenName, token);
}

/** A refused call throws an Error whose cause is the HTTP status. */
export const mock = createControlClient({
  url: root.href,
  write: writeExactly,
  send: async (request) => parseExactly(await (await reach(request)).text()),
});

/** Throws an Error if the service refuses the call. */
export async function callAs(
  username: string,
  operation: string,
  values?: Record<string, unknown>,
): Promise<void> {
  const { code, status, answer } = await mock.POST('/calls', { body: { operation, username, values } });
  if (code !== 0)
    throw new Error(`the service refused ${operation} with status ${status}: ${writeExactly(answer)}`);
}

export async function listen(signal: AbortSignal): Promise<ReadableStreamDefaultReader<string>> {
  const { body } = await reach(new Request(new URL('stream?short=true', root), { signal }));
  if (!body) throw new Error('the stream is empty');
  return body.pipeThrough(new TextDecoderStream()).getReader();
}

async function reach(request: Request): Promise<Response> {
  const token = sessionStorage.getItem(tokenName);
  if (token !== null) request.headers.set('authorization', `Bearer ${token}`);
  const response = await fetch(request, { cache: 'no-store', credentials: 'omit' }).catch(() => {
    throw new Error('the mock does not answer; check that it is still running');
  });
  if (response.ok) return response;
  throw new Error(await reasonOf(response), { cause: response.status });
}

async function reasonOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return String((JSON.parse(text) as { error?: unknown }).error ?? text);
  } catch {
    return text || `status ${response.status}`;
  }
}
