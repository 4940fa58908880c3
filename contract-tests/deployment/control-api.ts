// A client for the parts of a mock's control API that the suite uses.
import { isObject } from '../../openapi/json.ts';
import type { Ending } from '../core/ending.ts';
import { HarnessError } from '../core/outcomes.ts';
import { writeJson } from '../core/parse-json.ts';
import { createSender } from './http-client.ts';

/** The control API cannot be used. The message says what to do. */
export class ControlError extends HarnessError {}

/** `now` is in milliseconds since 1970. A `manual` clock moves only on request. */
export interface ClockReading {
  now: number;
  mode: 'real' | 'manual';
}

export interface Control {
  readProfile(): Promise<{ name: string; values: Record<string, unknown> }>;
  readClock(): Promise<ClockReading>;
  /** Moves the clock forward; resolves when everything due by then is done. */
  advance(ms: number): Promise<ClockReading>;
  /** Resolves when no push is in flight and nothing is due. */
  drain(): Promise<void>;
  expireToken(token: string): Promise<void>;
  clearLimits(): Promise<void>;
}

const timeoutMs = 60_000;

interface Caller {
  token: string | undefined;
  ending?: Ending | undefined;
}

interface ControlCall {
  method: string;
  path: string;
  body?: object | undefined;
}

/** Calls share connections, because a run on a moved clock makes hundreds. Throws ControlError unless the answer is a JSON object. */
function createControlCaller(
  url: string,
  { token, ending }: Caller,
): (call: ControlCall) => Promise<Record<string, unknown>> {
  const send = createSender({ baseUrl: url }, timeoutMs, ending);
  return async ({ method, path, body }) => {
    const headers = {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    };
    const request = {
      method,
      url: `${url.replace(/\/+$/, '')}${path}`,
      headers,
      body: body && writeJson(body),
    };
    const { status, text, json } = await send(request).catch((error: Error) => {
      throw new ControlError(`the control API did not answer ${method} ${path}: ${error.message}`);
    });
    if (status < 200 || status > 299)
      throw new ControlError(`the control API refused ${method} ${path}: ${status} ${text.slice(0, 200)}`);
    if (!isObject(json))
      throw new ControlError(`the control API did not answer ${method} ${path} with a JSON object`);
    return json;
  };
}

/** `url` is for example http://127.0.0.1:4010/_mock. */
export function createControl(url: string, token: string | undefined, ending?: Ending): Control {
  const call = createControlCaller(url, { token, ending });
  const request = (method: string, path: string, body?: object) => call({ method, path, body });
  return {
    readProfile: async () => toProfile(await request('GET', '/health')),
    readClock: async () => toReading(await request('GET', '/clock')),
    advance: async (ms) =>
      toReading(await request('POST', '/clock', { advance: `PT${(ms / 1_000).toFixed(3)}S` })),
    drain: async () => void (await request('POST', '/drain')),
    expireToken: async (session) => void (await request('POST', '/tokens/expire', { token: session })),
    clearLimits: async () => void (await request('DELETE', '/limits')),
  };
}

/** Checks with one call that the control API answers. Throws ControlError otherwise. */
export async function openControl(url: string, token: string | undefined, ending?: Ending): Promise<Control> {
  const control = createControl(url, token, ending);
  try {
    await control.readClock();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ControlError(
      `--control-url ${url} is not the control API of a mock (${reason}); omit it, or set SITEPUB_CONTROL_TOKEN if it needs a token`,
    );
  }
  return control;
}

function toProfile({ profile }: Record<string, unknown>): { name: string; values: Record<string, unknown> } {
  if (!isObject(profile) || typeof profile.name !== 'string' || !isObject(profile.values))
    throw new ControlError('the control API returned no profile');
  return { name: profile.name, values: profile.values };
}

/** Later times could get a five-digit year when a run moves the clock. */
const latest = Date.parse('9000-01-01T00:00:00Z');

function toReading({ now, mode }: Record<string, unknown>): ClockReading {
  const time = typeof now === 'string' ? Date.parse(now) : Number.NaN;
  if (!(time >= 0 && time < latest)) throw new ControlError('the control API returned no time');
  return { now: time, mode: mode === 'manual' ? 'manual' : 'real' };
}
