// Calls of the control API, which begins where this page lies.
import type { components } from '../../../openapi/generated/control-types.ts';

import { parseExactly, writeExactly } from './exact-json.ts';

export type Schemas = components['schemas'];

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

export async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await request(method, path, body === undefined ? {} : { body: writeExactly(body) });
  return parseExactly(await response.text()) as Answer;
}

/** The stream of what changes, as text. */
export async function listen(signal: AbortSignal): Promise<ReadableStreamDefaultReader<string>> {
  const { body } = await request('GET', 'stream?short=true', { signal });
  if (!body) throw new Error('the stream is empty');
  return body.pipeThrough(new TextDecoderStream()).getReader();
}

async function request(method: string, path: string, init: RequestInit): Promise<Response> {
  const token = sessionStorage.getItem(tokenName);
  const headers = {
    ...(init.body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };
  const response = await reach(new URL(path, root), {
    ...init,
    method,
    headers,
    cache: 'no-store',
    credentials: 'omit',
  });
  if (response.ok) return response;
  throw new Refused(response.status, await reasonOf(response));
}

async function reach(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
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
