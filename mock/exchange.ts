// A request of the service and its answer, as the journal keeps them.
import type { IncomingHttpHeaders } from 'node:http';
import type { OperationId } from '../openapi/operations.ts';
import type { Answer } from './answers.ts';
import { drawHex } from './random.ts';
import type { Service } from './service.ts';

export interface Exchange {
  at: number;
  /** By a clock that nobody moves, in milliseconds. */
  startedAt: number;
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  operation: OperationId | undefined;
  traceId: string;
  tenantId: number | undefined;
  requestBody: string | undefined;
  /** Why the request was refused. */
  refusal: string | undefined;
  /** Who asked for another answer than the operation's own. */
  forcedBy: 'prefer' | 'override' | undefined;
  answer: Answer | undefined;
  durationMs: number;
}

export type Arrival = Pick<Exchange, 'method' | 'url' | 'headers'> & { operation?: OperationId };

export function openExchange(service: Service, arrival: Arrival): Exchange {
  return {
    at: service.clock.now(),
    startedAt: performance.now(),
    method: arrival.method,
    url: arrival.url,
    headers: arrival.headers,
    operation: arrival.operation,
    traceId: drawHex(service.world, 16),
    tenantId: undefined,
    requestBody: undefined,
    refusal: undefined,
    forcedBy: undefined,
    answer: undefined,
    durationMs: 0,
  };
}

/** Enters it in the journal; gives the answer, so that nothing is answered without being entered. */
export function closeExchange(service: Service, exchange: Exchange, answer: Answer): Answer {
  const varied = service.variations?.answer(answer, exchange.traceId) ?? answer;
  const sent = service.parts.answer(service, exchange, varied);
  exchange.answer = sent;
  exchange.durationMs = performance.now() - exchange.startedAt;
  service.journal.add(exchange);
  service.feed.emit('request', exchange);
  return sent;
}
