import type { JournalEntry } from '../http/journal.ts';
import type { Mock } from '../service.ts';
import { isoTime } from '../world/time.ts';
import type { RequestView } from './control-views.ts';
import { redactBody, redactHeaders, redactPath, redactText } from './redact-request.ts';
import { secretPlacesOf } from './secret-places.ts';
import { nameOfTenant } from './tenants.ts';

/** A request of the journal in readable form, without its secrets. */
export function showRequest(
  { profile, world }: Pick<Mock, 'profile' | 'world'>,
  { id, exchange }: JournalEntry,
): RequestView {
  const { answer, operation, tenantId, refusal, forcedBy, durationMs } = exchange;
  const code = codeIn(answer?.body);
  const places = secretPlacesOf(profile);
  return {
    id,
    at: isoTime(exchange.at),
    method: exchange.method,
    path: redactPath(exchange.url),
    ...(operation && { operation }),
    ...(tenantId !== undefined && { tenant: nameOfTenant(world, tenantId) }),
    ...(exchange.who !== undefined && { who: redactText(exchange.who) }),
    status: answer?.status ?? 0,
    ...(code !== undefined && { code }),
    trace_id: exchange.traceId,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    ...(exchange.delayReason !== undefined && { delay_reason: exchange.delayReason }),
    ...(refusal !== undefined && { refusal: redactText(refusal) }),
    ...(forcedBy && { forced_by: forcedBy }),
    request_headers: redactHeaders(exchange.headers),
    ...bodyMember('request_body', redactBody(exchange.requestBody, places)),
    ...bodyMember('response_body', redactBody(answer?.body, places)),
  };
}

function bodyMember(name: 'request_body' | 'response_body', shown: unknown): Partial<RequestView> {
  return shown === undefined ? {} : { [name]: shown };
}

/** The code is first in the envelope, unless a variation changes that; a long answer is truncated, so its JSON can't be parsed. */
export function codeIn(body = ''): number | undefined {
  const code = /^\{"code":(-?\d+)[,}]/.exec(body)?.[1] ?? findCode(body);
  return code === undefined ? undefined : Number(code);
}

function findCode(body: string): number | undefined {
  try {
    const { code } = Object(JSON.parse(body)) as { code?: unknown };
    return typeof code === 'number' ? code : undefined;
  } catch {
    return undefined;
  }
}
