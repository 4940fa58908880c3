// The part of a mock's control API that the suite uses: clock, limits, expiry of tokens.
import { isObject } from '../../openapi/json.ts';
import type { Ending } from '../core/ending.ts';
import { HarnessError } from '../core/outcomes.ts';
import { writeJson } from '../core/parse-json.ts';
import { createSender } from './http-client.ts';

/** The control API can't be used; the message says what to do. */
export class ControlError extends HarnessError {}

/** The time of a mock's clock, in milliseconds since 1970, and whether it runs by itself. */
export interface ClockReading {
  now: number;
  mode: 'real' | 'manual';
}

export interface Control {
  /** The mock's profile. */
  readProfile(): Promise<{ name: string; values: Record<string, unknown> }>;
  readClock(): Promise<ClockReading>;
  /** Moves the clock forward by milliseconds; resolves when everything due by then is done. */
  advance(ms: number): Promise<ClockReading>;
  /** Resolves when no push is in flight and nothing is due. */
  drain(): Promise<void>;
  /** Lets a session token expire. */
  expireToken(token: string): Promise<void>;
  /** Resets all rate limits. */
  clearLimits(): Promise<void>;
}

const timeoutMs = 60_000;

/** Who calls a control API: with which token, and what ends its calls. */
interface Caller {
  token: string | undefined;
  ending?: Ending | undefined;
}

interface ControlCall {
  method: string;
  path: string;
  body?: object | undefined;
}

/**
 * Calls a control API, and returns the members of the answer; follows no redirect. Throws ControlError where no whole answer comes, or
 * one that is no object. A run on a moved clock makes hundreds of calls, which share their connections.
 */
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
      throw new ControlError(`the control API gave no answer to ${method} ${path}: ${error.message}`);
    });
    if (status < 200 || status > 299)
      throw new ControlError(`the control API refused ${method} ${path}: ${status} ${text.slice(0, 200)}`);
    if (!isObject(json)) throw new ControlError(`the control API answered ${method} ${path} with no object`);
    return json;
  };
}

/** A client of the control API at an address such as http://127.0.0.1:4010/_mock. */
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

/** The same, after one answer. Throws ControlError where none comes. */
export async function openControl(url: string, token: string | undefined, ending?: Ending): Promise<Control> {
  const control = createControl(url, token, ending);
  try {
    await control.readClock();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ControlError(
      `--control-url ${url} does not answer as a mock's control API does (${reason}); leave it out, or set SITEPUB_CONTROL_TOKEN where it asks for a token`,
    );
  }
  return control;
}

function toProfile({ profile }: Record<string, unknown>): { name: string; values: Record<string, unknown> } {
  if (!isObject(profile) || typeof profile.name !== 'string' || !isObject(profile.values))
    throw new ControlError('the control API returned no profile');
  return { name: profile.name, values: profile.values };
}

/** Times that can be written as a date with a year of four digits, and moved by a run. */
const latest = Date.parse('9000-01-01T00:00:00Z');

function toReading({ now, mode }: Record<string, unknown>): ClockReading {
  const time = typeof now === 'string' ? Date.parse(now) : Number.NaN;
  if (!(time >= 0 && time < latest)) throw new ControlError('the control API returned no time');
  return { now: time, mode: mode === 'manual' ? 'manual' : 'real' };
}
