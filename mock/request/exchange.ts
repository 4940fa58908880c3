// A request and its answer as they are recorded, and the answers to what is refused.
import type { IncomingMessage } from 'node:http';
import type { OperationId } from '../../openapi/operations.ts';
import { ApiError, internal, notKept, unknownPath, worldHasEnded } from '../http/api-errors.ts';
import type { JournalExchange } from '../http/journal.ts';
import { type Answer, jsonType, noPage, renderFailure } from '../http/render-envelope.ts';
import type { Mock } from '../service.ts';
import { StoreError } from '../store/store-error.ts';
import { drawHex } from '../world/random.ts';

/** What is known of a request before it is read. */
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

/** The log alone reports an unexpected exception. */
export function refuse(mock: Mock, exchange: JournalExchange, error: unknown): Answer {
  const problem = error instanceof ApiError ? error : internal();
  if (problem !== error)
    mock.log(`${exchange.traceId} ${error instanceof Error ? error.stack : String(error)}`);
  exchange.refusal = problem.message;
  return renderFailure(mock.profile, problem, exchange.traceId);
}

/** The answer to a request that reached no operation. */
export function refuseOutside(mock: Mock, error: unknown, arrival: Arrival, operation?: OperationId): Answer {
  const exchange = openExchange(mock, arrival, operation);
  return closeExchange(mock, exchange, refuse(mock, exchange, error));
}

/** Makes an answer of a shared world: its trace id is drawn once, and each process finds its entry in the journal. It is given even if a store can't persist that. */
export function answerInTurn(mock: Mock, answer: () => Answer): Promise<Answer> {
  return Promise.resolve(mock.turn(answer)).catch(answer);
}

export function refuseInTurn(mock: Mock, error: unknown, arrival: Arrival): Answer | Promise<Answer> {
  const refused = () => refuseOutside(mock, error, arrival);
  return mock.store?.shared ? answerInTurn(mock, refused) : refused();
}

/** The error of a call whose work could not be persisted. The store has told why in the log, unless the world has ended. */
export function unpersisted(error: unknown): ApiError {
  return error instanceof StoreError && error.reason === 'gone' ? unknownPath(worldHasEnded) : notKept();
}
