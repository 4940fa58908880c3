import type { Schemas } from '../../../openapi/generated/control-types.ts';
import { jsonIn } from '../../../openapi/json.ts';
import type { JournalEntry, JournalExchange } from '../../http/journal.ts';
import type { Mock } from '../../service.ts';
import type { World } from '../../world/world.ts';
import { nameOfTenant } from '../control-error.ts';
import { redactBody, redactHeaders, redactPath, redactText, secretPlacesOf } from '../redact-request.ts';
import { show } from './show.ts';

export function noteRequest(world: World, exchange: JournalExchange): Omit<Schemas['RequestNote'], 'id'> {
  const { at, method, url, operation, tenantId, who, answer } = exchange;
  const { traceId, durationMs, delayReason, refusal, forcedBy } = exchange;
  return show({
    at,
    method,
    path: redactPath(url),
    operation,
    tenant: tenantId === undefined ? undefined : nameOfTenant(world, tenantId),
    who: who && redactText(who),
    status: answer?.status ?? 0,
    code: codeIn(answer?.body),
    traceId,
    durationMs: Math.round(durationMs * 1000) / 1000,
    delayReason,
    refusal: refusal && redactText(refusal),
    forcedBy,
  });
}

export function noteEntry(world: World, { id, exchange }: JournalEntry): Schemas['RequestNote'] {
  return { id, ...noteRequest(world, exchange) };
}

export function showRequest(
  { profile, world }: Pick<Mock, 'profile' | 'world'>,
  entry: JournalEntry,
): Schemas['Request'] {
  const { headers, requestBody, answer } = entry.exchange;
  const places = secretPlacesOf(profile);
  const sent = { requestHeaders: redactHeaders(headers), requestBody: redactBody(requestBody, places) };
  return { ...noteEntry(world, entry), ...show({ ...sent, responseBody: redactBody(answer?.body, places) }) };
}

/** A long answer is truncated and can't be parsed, so the code is sought at its usual place first: the start. */
export function codeIn(body = ''): number | undefined {
  const code = /^\{"code":(-?\d+)[,}]/.exec(body)?.[1] ?? findCode(body);
  return code === undefined ? undefined : Number(code);
}

function findCode(body: string): number | undefined {
  const { code } = Object(jsonIn(body)) as { code?: unknown };
  return typeof code === 'number' ? code : undefined;
}
