// What happens, in short: for a log of the mock.
import type { JournalExchange } from '../http/journal.ts';
import type { Attempt, Delivery } from '../world/entries.ts';
import { isoTime } from '../world/time.ts';
import type { AttemptView, ClockView, DeliveryView, RequestView } from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { redactAddress, redactPath, redactText } from './redact-request.ts';
import { codeIn } from './show-request.ts';
import { showClock } from './show-world.ts';
import { nameOfTenant } from './tenants.ts';

/** A request of the service, without headers and bodies. */
export interface RequestNote
  extends Omit<RequestView, 'id' | 'request_headers' | 'request_body' | 'response_body'> {
  type: 'request';
}

/** An attempt to deliver a push, without headers and bodies, and what comes next. */
export interface PushNote
  extends Pick<DeliveryView, 'event' | 'channel' | 'site_id' | 'url' | 'state' | 'next_attempt_at'>,
    Omit<AttemptView, 'request_headers' | 'answer'> {
  type: 'push';
  delivery_id: number;
}

export interface ClockNote extends ClockView {
  type: 'clock';
}

export type Note = RequestNote | PushNote | ClockNote;

export function watchControl(mock: ControlledMock) {
  const { events } = mock;
  return {
    /**
     * Hands over what has happened in this process, without secrets: once a turn of the event loop, oldest first. Returns what ends it, after it has handed
     * over the rest.
     */
    watch(listener: (notes: readonly Note[]) => void): () => void {
      const showPath = remember(redactPath);
      let waiting: (() => Note)[] = [];
      const flush = () => {
        const notes = waiting.map((note) => note());
        waiting = [];
        if (notes.length > 0) listener(notes);
      };
      const add = (note: () => Note) => {
        if (waiting.push(note) === 1) setImmediate(flush);
      };
      const onRequest = (exchange: JournalExchange, _entry: unknown, isElsewhere?: boolean) => {
        if (isElsewhere) return;
        add(() => noteRequest(exchange, { showPath, tenant: (id) => nameOfTenant(mock.world, id) }));
      };
      const onAttempt = (delivery: Delivery, attempt: Attempt, isElsewhere?: boolean) => {
        if (isElsewhere) return;
        // Read now: the next attempt may come in the same turn.
        const { state, nextAttemptAt, attempts } = delivery;
        add(() => notePush(delivery, attempt, { state, nextAttemptAt, number: attempts.length }));
      };
      const onClock = () => {
        const clock = showClock(mock.world);
        add(() => ({ type: 'clock', ...clock }));
      };
      events.on('request', onRequest).on('attempt', onAttempt).on('clock', onClock);
      return () => {
        events.off('request', onRequest).off('attempt', onAttempt).off('clock', onClock);
        flush();
      };
    },
  };
}

export interface RequestTexts {
  showPath(path: string): string;
  tenant(id: number): string;
}

export function noteRequest(exchange: JournalExchange, { showPath, tenant }: RequestTexts): RequestNote {
  const { answer, operation, tenantId, who, refusal, forcedBy, delayReason } = exchange;
  const code = codeIn(answer?.body);
  return {
    type: 'request',
    at: isoTime(exchange.at),
    method: exchange.method,
    path: showPath(exchange.url),
    ...(operation && { operation }),
    ...(tenantId !== undefined && { tenant: tenant(tenantId) }),
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

function notePush(
  { id, event, channel, siteId, url }: Delivery,
  { cause, at, outcome, durationMs }: Attempt,
  {
    state,
    nextAttemptAt,
    number,
  }: { state: Delivery['state']; nextAttemptAt: number | undefined; number: number },
): PushNote {
  return {
    type: 'push',
    delivery_id: id,
    event,
    channel,
    site_id: siteId,
    url: redactAddress(url),
    number,
    cause,
    at: isoTime(at),
    ...('error' in outcome ? { error: redactText(outcome.error) } : { status: outcome.status }),
    ...('refusal' in outcome && outcome.refusal !== undefined && { refusal: redactText(outcome.refusal) }),
    duration_ms: durationMs,
    state,
    ...(nextAttemptAt !== undefined && { next_attempt_at: isoTime(nextAttemptAt) }),
  };
}

const mostRemembered = 500;

/** The same paths come again and again. */
export function remember(show: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const shown = show(text);
    if (known.size >= mostRemembered) known.clear();
    known.set(text, shown);
    return shown;
  };
}
