// Calls of the control API, which begins where this page lies.
import { createControlClient } from './control-client.ts';
import { parseExactly, writeExactly } from './exact-json.ts';

export type { Schemas } from '../../../openapi/generated/control-types.ts';

const root = new URL('.', document.baseURI);
const tokenName = 'sitepub control token';

/** For this tab, until it is closed; never in an address. */
export function rememberToken(token: string): void {
  sessionStorage.setItem(tokenName, token);
}

/** The client of the mock. A call that is refused throws an Error with the status as its cause. */
export const mock = createControlClient({
  url: root.href,
  write: writeExactly,
  send: async (request) => parseExactly(await (await reach(request)).text()),
});

/** Calls the service as one of its users. Throws an Error where it refuses. */
export async function callAs(
  username: string,
  operation: string,
  values?: Record<string, unknown>,
): Promise<void> {
  const { code, status, answer } = await mock.POST('/calls', { body: { operation, username, values } });
  if (code !== 0)
    throw new Error(`the service refused ${operation} with status ${status}: ${writeExactly(answer)}`);
}

/** The stream of what changes, as text. */
export async function listen(signal: AbortSignal): Promise<ReadableStreamDefaultReader<string>> {
  const { body } = await reach(new Request(new URL('stream?short=true', root), { signal }));
  if (!body) throw new Error('the stream is empty');
  return body.pipeThrough(new TextDecoderStream()).getReader();
}

async function reach(request: Request): Promise<Response> {
  const token = sessionStorage.getItem(tokenName);
  if (token !== null) request.headers.set('authorization', `Bearer ${token}`);
  const response = await fetch(request, { cache: 'no-store', credentials: 'omit' }).catch(() => {
    throw new Error('the mock does not answer; is it still running?');
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
