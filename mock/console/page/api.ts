// Calls of the control API, which begins where this page lies.
import { createControlClient } from './control-client.ts';
import { parseExactly, writeExactly } from './exact-json.ts';

export type { Schemas } from '../../../openapi/generated/control-types.ts';

const root = new URL('.', document.baseURI);
const tokenName = 'sitepub control token';

/** The mock refused a call, and says why. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** For this tab, until it is closed; never in an address. */
export function keepToken(token: string): void {
  sessionStorage.setItem(tokenName, token);
}

/** The client of the mock. A call throws Refused, or an Error if the mock does not answer. */
export const mock = createControlClient({
  url: root.href.replace(/\/$/, ''),
  write: writeExactly,
  send: async (request) => parseExactly(await (await reach(request)).text()),
});

/** The stream of what changes, as text. */
export async function listen(signal: AbortSignal): Promise<ReadableStreamDefaultReader<string>> {
  const { body } = await reach(new Request(new URL('stream?short=true', root)), signal);
  if (!body) throw new Error('the stream is empty');
  return body.pipeThrough(new TextDecoderStream()).getReader();
}

async function reach(request: Request, signal?: AbortSignal): Promise<Response> {
  const token = sessionStorage.getItem(tokenName);
  if (token !== null) request.headers.set('authorization', `Bearer ${token}`);
  const response = await send(request, signal);
  if (response.ok) return response;
  throw new Refused(response.status, await reasonOf(response));
}

async function send(request: Request, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await fetch(request, { cache: 'no-store', credentials: 'omit', ...(signal && { signal }) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error('the mock does not answer; is it still running?');
  }
}

async function reasonOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return String((JSON.parse(text) as { error?: unknown }).error ?? text);
  } catch {
    return text || `status ${response.status}`;
  }
}
