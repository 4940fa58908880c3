import type { Arrival, JournalExchange } from '../http/journal-exchange.ts';
import { noPage } from '../http/no-page.ts';
import { type Answer, jsonType } from '../http/render-envelope.ts';
import type { Mock } from '../service.ts';
import { drawHex } from '../world/random.ts';

export function openExchange(mock: Mock, arrival: Arrival): JournalExchange {
  return {
    at: mock.clock.now(),
    startedAt: performance.now(),
    method: arrival.method,
    url: arrival.url,
    headers: arrival.headers,
    operation: arrival.operation,
    traceId: drawHex(mock.world, 16),
    tenantId: undefined,
    who: undefined,
    requestBody: undefined,
    refusal: undefined,
    forcedBy: undefined,
    delayReason: undefined,
    answer: undefined,
    durationMs: 0,
  };
}

/** Adds the exchange to the journal. Returns the answer, so that none is sent without being recorded. */
export function closeExchange(mock: Mock, exchange: JournalExchange, answer: Answer): Answer {
  const varied = mock.variations?.answer(answer, exchange.traceId) ?? answer;
  const answered = mock.steps.answer(mock, exchange, varied);
  const isOrdinary = exchange.forcedBy === undefined && answered.headers['content-type'] === jsonType;
  const sent = isOrdinary ? answered : { ...answered, headers: { ...answered.headers, ...noPage } };
  exchange.answer = sent;
  exchange.durationMs = performance.now() - exchange.startedAt;
  mock.journal.add(exchange);
  return sent;
}
