// A Prefer header (RFC 7240) forces the answer to one request, an override that to the next calls of an operation.
import { type ErrorKind, kindOfCode, kindOfStatus, statusOf } from '../../openapi/error-codes.ts';
import type { Operation } from '../../openapi/operations.ts';
import type { Profile } from '../../openapi/profile.ts';
import { ApiError } from '../http/api-errors.ts';
import { type Answer, renderJson } from '../http/render-envelope.ts';
import type { Mock } from '../service.ts';
import type { Override } from '../world/entries.ts';
import type { World } from '../world/world.ts';

/** Only an override has a `body`, which replaces the envelope. */
export type ForcedAnswer = Omit<Override, 'operation' | 'times'> & { by: 'prefer' | 'override' };

const longestDelayMs = 300_000;

export function forcedAnswerFor(mock: Mock, operation: string, prefer: unknown): ForcedAnswer | undefined {
  const override = mock.world.overrides.size > 0 && useOverride(mock.world, operation);
  if (override) return { ...override, by: 'override' };
  return typeof prefer === 'string' ? readPrefer(prefer, mock.profile) : undefined;
}

/** Returns the answer of an override with a body. Throws an ApiError for a forced failure. */
export function forcedAnswer(
  forced: ForcedAnswer,
  { success }: Operation,
  profile: Profile,
): Answer | undefined {
  const { status, code, body } = forced;
  if (body !== undefined) return renderJson(status ?? success.status, body);
  const isFailure = code !== undefined ? code !== 0 : (status ?? 0) >= 400;
  if (!isFailure) return undefined;
  const known: ErrorKind | undefined =
    code === undefined ? kindOfStatus(profile, status ?? 0) : kindOfCode(profile, code);
  const kind = known ?? 'internal';
  throw new ApiError(kind, `this answer (${kind}) was forced by ${sourceOf(forced)}`, {
    status: status ?? statusOf(profile, kind),
    ...(code !== undefined && { code }),
    ...(kind === 'rate-limited' && { retryAfter: 60 }),
  });
}

export function reasonForDelay(forced: ForcedAnswer | undefined, heldMs: number): string {
  if (forced?.delayMs) return `forced by ${sourceOf(forced)}`;
  return heldMs > 0 ? 'the call takes that long' : 'the latency or a variation of this mock';
}

function sourceOf({ by }: Pick<ForcedAnswer, 'by'>): string {
  return by === 'prefer' ? 'the Prefer header' : 'an override';
}

function useOverride(world: World, operation: string): Omit<ForcedAnswer, 'by'> | undefined {
  const found = [...world.overrides].find(([, override]) => override.operation === operation);
  if (!found) return undefined;
  const [key, { operation: _, times, ...forced }] = found;
  if (times === 1) world.overrides.delete(key);
  else if (times !== undefined) world.overrides.edit(key).times = times - 1;
  return forced;
}

/** `code` is a business code if the profile has it, or else an HTTP status; invalid preferences are ignored. */
function readPrefer(header: string, profile: Profile): ForcedAnswer | undefined {
  const code = numberIn(header, 'code');
  const delay = numberIn(header, 'delay');
  if (code === undefined && delay === undefined) return undefined;
  return {
    by: 'prefer',
    ...(code !== undefined && readCode(code, profile)),
    ...(delay !== undefined && delay >= 0 && { delayMs: Math.min(delay, longestDelayMs) }),
  };
}

function readCode(code: number, profile: Profile): Pick<ForcedAnswer, 'status' | 'code'> {
  if (kindOfCode(profile, code) || code < 200 || code > 599) return { code };
  // These statuses forbid a body, and so an envelope.
  return [204, 205, 304].includes(code) ? {} : { status: code };
}

function numberIn(header: string, name: string): number | undefined {
  const found = new RegExp(`(?:^|[,;])\\s*${name}\\s*=\\s*"?(-?\\d{1,9})"?\\s*(?=$|[,;])`, 'i').exec(header);
  return found ? Number(found[1]) : undefined;
}
