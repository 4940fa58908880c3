// The one place where successes and failures become responses.
import { codeOf, statusOf } from '../../openapi/error-codes.ts';
import { type Operation, writeLayout } from '../../openapi/operations.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { ApiError } from './api-errors.ts';

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** How the characters of the body become bytes; UTF-8 where nothing is said. */
  encoding?: 'latin1';
}

export const jsonType = 'application/json; charset=utf-8';

const json = { 'content-type': jsonType };

/** The answer of a successful operation. Each value, by name, goes where the profile shows it. */
export function renderSuccess(
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
  traceId: string,
): Answer {
  const envelope = { code: 0, message: 'success', data: {}, trace_id: traceId };
  writeLayout(operation.success.layout, values, envelope);
  return { status: operation.success.status, headers: json, body: JSON.stringify(envelope) };
}

/** An answer without the envelope. */
export function renderJson(status: number, value: unknown): Answer {
  return { status, headers: json, body: JSON.stringify(value) };
}

/** The answer to a refused request. */
export function renderFailure(profile: Profile, error: ApiError, traceId: string): Answer {
  const { kind, message, extra } = error;
  const code = extra.code ?? codeOf(profile, kind);
  const envelope = { code, message, ...dataOf(profile), trace_id: traceId };
  return {
    status: extra.status ?? statusOf(profile, kind),
    headers: { ...json, ...extra.headers, ...retryAfter(profile, extra.retryAfter) },
    body: JSON.stringify(envelope),
  };
}

function dataOf(profile: Profile): { data?: object | null } {
  const form = profile.values['errors.data'];
  if (form === 'absent') return {};
  return { data: form === 'null-value' ? null : {} };
}

function retryAfter(profile: Profile, seconds: number | undefined): Record<string, string> {
  const sent = seconds !== undefined && profile.values['limits.retry-after'] === 'sent';
  return sent ? { 'retry-after': String(seconds) } : {};
}
