// Requests of the service as they are shown: as a note in lists and logs, or as a whole. Neither has secrets.
import type { Schemas } from '../../../openapi/generated/control-types.ts';
import type { JournalEntry, JournalExchange } from '../../http/journal.ts';
import type { Mock } from '../../service.ts';
import { isoTime } from '../../world/time.ts';
import type { World } from '../../world/world.ts';
import { nameOfTenant } from '../control-error.ts';
import { redactBody, redactHeaders, redactPath, redactText, secretPlacesOf } from '../redact-request.ts';

/** Without headers and bodies. */
export function noteRequest(world: World, exchange: JournalExchange): Omit<Schemas['RequestNote'], 'id'> {
  const { answer, operation, tenantId, who, refusal, forcedBy, delayReason } = exchange;
  const code = codeIn(answer?.body);
  return {
    at: isoTime(exchange.at),
    method: exchange.method,
    path: showPath(exchange.url),
    ...(operation && { operation }),
    ...(tenantId !== undefined && { tenant: nameOfTenant(world, tenantId) }),
    ...(who !== undefined && { who: redactText(who) }),
    status: answer?.status ?? 0,
    ...(code !== undefined && { code }),
    trace_id: exchange.traceId,
    duration_ms: Math.round(exchange.durationMs * 1000) / 1000,
    ...(delayReason !== undefined && { delay_reason: delayReason }),
    ...(refusal !== undefined && { refusal: redactText(refusal) }),
    ...(forcedBy && { forced_by: forcedBy }),
  };
}

/** With its number in the journal. */
export function noteEntry(world: World, { id, exchange }: JournalEntry): Schemas['RequestNote'] {
  return { id, ...noteRequest(world, exchange) };
}

export function showRequest(
  { profile, world }: Pick<Mock, 'profile' | 'world'>,
  entry: JournalEntry,
): Schemas['Request'] {
  const { headers, requestBody, answer } = entry.exchange;
  const places = secretPlacesOf(profile);
  const [sent, answered] = [redactBody(requestBody, places), redactBody(answer?.body, places)];
  return {
    ...noteEntry(world, entry),
    request_headers: redactHeaders(headers),
    ...(sent !== undefined && { request_body: sent }),
    ...(answered !== undefined && { response_body: answered }),
  };
}

const mostPaths = 500;
const shownPaths = new Map<string, string>();

/** The same paths come again and again. */
function showPath(path: string): string {
  const known = shownPaths.get(path);
  if (known !== undefined) return known;
  const shown = redactPath(path);
  if (shownPaths.size >= mostPaths) shownPaths.clear();
  shownPaths.set(path, shown);
  return shown;
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
