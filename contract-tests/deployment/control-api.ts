// The part of a mock's control API that the suite uses: clock, limits, expiry of tokens.
import { HarnessError } from '../core/outcomes.ts';

/** The control API can't be used; the message says what to do. */
export class ControlError extends Error {}

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

/** A client of the control API at an address such as http://127.0.0.1:4010/_mock. */
export function createControl(url: string, token: string | undefined): Control {
  const base = url.replace(/\/+$/, '');
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const request = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(base + path, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (!response.ok)
      throw new HarnessError(`the control API refused ${method} ${path}: ${text.slice(0, 200)}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  return {
    readProfile: async () =>
      (await request('GET', '/health')).profile as Awaited<ReturnType<Control['readProfile']>>,
    readClock: async () => toReading(await request('GET', '/clock')),
    advance: async (ms) =>
      toReading(await request('POST', '/clock', { advance: `PT${(ms / 1_000).toFixed(3)}S` })),
    drain: async () => void (await request('POST', '/drain')),
    expireToken: async (session) => void (await request('POST', '/tokens/expire', { token: session })),
    clearLimits: async () => void (await request('DELETE', '/limits')),
  };
}

/** The same, after one answer. Throws ControlError where none comes. */
export async function openControl(url: string, token: string | undefined): Promise<Control> {
  const control = createControl(url, token);
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

function toReading({ now, mode }: Record<string, unknown>): ClockReading {
  const time = Date.parse(String(now));
  if (Number.isNaN(time)) throw new HarnessError('the control API returned no time');
  return { now: time, mode: mode === 'manual' ? 'manual' : 'real' };
}
