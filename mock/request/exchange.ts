import type { IncomingMessage } from 'node:http';
import type { OperationId } from '../../openapi/operations.ts';
import { ApiError, internal, notPersisted, unknownPath, worldHasEnded } from '../http/api-errors.ts';
import type { JournalExchange } from '../http/journal.ts';
import { type Answer, jsonType, noPage, renderFailure } from '../http/render-envelope.ts';
import type { Mock } from '../service.ts';
import { StoreError } from '../store/store-error.ts';
import { drawHex } from '../world/random.ts';

type Arrival = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

export function openExchange(
  mock: Mock,
  { method = '', url = '', headers }: Arrival,
  operation?: OperationId,
  traceId = drawHex(mock.world, 16),
): JournalExchange {
  return {
    at: mock.clock.now(),
    startedAt: performance.now(),
    method,
    url,
    headers,
    operation,
    traceId,
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

/** Adds the exchange to the journal; only the answer that it returns may be sent. */
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

export function refuse(mock: Mock, exchange: JournalExchange, error: unknown): Answer {
  const problem = error instanceof ApiError ? error : internal();
  if (problem !== error)
    mock.log(`${exchange.traceId} ${error instanceof Error ? error.stack : String(error)}`);
  exchange.refusal = problem.message;
  return renderFailure(mock.profile, problem, exchange.traceId);
}

export function refuseOutside(mock: Mock, error: unknown, arrival: Arrival, operation?: OperationId): Answer {
  const exchange = openExchange(mock, arrival, operation);
  return closeExchange(mock, exchange, refuse(mock, exchange, error));
}

/** Makes the answer in a turn, so that no other process draws the same trace id; if that fails, without one. */
export function answerInTurn(mock: Mock, answer: () => Answer): Promise<Answer> {
  return Promise.resolve(mock.turn(answer)).catch(answer);
}

export function refuseInTurn(mock: Mock, error: unknown, arrival: Arrival): Answer | Promise<Answer> {
  const refused = () => refuseOutside(mock, error, arrival);
  return mock.store?.shared ? answerInTurn(mock, refused) : refused();
}

/** The store logs why it could not persist the work, unless the world has ended. */
export function unpersisted(error: unknown): ApiError {
  return error instanceof StoreError && error.reason === 'gone' ? unknownPath(worldHasEnded) : notPersisted();
}
