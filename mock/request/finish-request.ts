// How a request ends: refused or answered, after a while or at once, and recorded.
import { ApiError, internal } from '../http/api-errors.ts';
import type { Arrival, JournalExchange } from '../http/journal-exchange.ts';
import { type Answer, renderFailure } from '../http/render-envelope.ts';
import type { Mock } from '../service.ts';
import { drawBetween } from '../world/random.ts';
import type { ActiveRequest } from './active-request.ts';
import { type ForcedAnswer, sourceOf } from './forced-answers.ts';
import { closeExchange, openExchange } from './record-exchange.ts';

/** The answer to a request that reached no operation. */
export function refuseOutside(mock: Mock, error: unknown, arrival: Arrival): Answer {
  const exchange = openExchange(mock, arrival);
  return closeExchange(mock, exchange, refuse(mock, error, exchange));
}

/** The same as a turn of its own where other processes share the world: its trace id is drawn once, and who asks one of them for its entry in the journal then, finds it. */
export function refuseInTurn(mock: Mock, error: unknown, arrival: Arrival): Answer | Promise<Answer> {
  const refuse = () => refuseOutside(mock, error, arrival);
  return mock.store?.shared ? Promise.resolve(mock.turn(refuse)).catch(refuse) : refuse();
}

/** The answer to a request that failed in an operation. */
export function refuseActive(mock: Mock, active: ActiveRequest, error: unknown): Answer {
  active.uncount?.();
  active.heldMs = 0;
  return refuse(mock, error, active.exchange);
}

/** For how long the answer is held back, in milliseconds. */
export function delayOf(mock: Mock, { exchange, forced, heldMs }: ActiveRequest): number {
  const delay = (forced?.delayMs ?? 0) + heldMs + latencyOf(mock, exchange);
  if (delay > 0) exchange.delayReason = reasonForDelay(forced, heldMs);
  return delay;
}

/** Records the request, and returns what is sent. */
export function finish(mock: Mock, { workKey, exchange, answer }: ActiveRequest): Answer {
  if (!answer) throw new Error(`the request ${exchange.traceId} has no answer yet`);
  if (workKey !== undefined) mock.callsInProgress.delete(workKey);
  return closeExchange(mock, exchange, answer);
}

/** An unexpected exception is reported to the log only. */
function refuse(mock: Mock, error: unknown, exchange: JournalExchange): Answer {
  const problem = error instanceof ApiError ? error : internal();
  if (problem !== error)
    mock.log(`${exchange.traceId} ${error instanceof Error ? error.stack : String(error)}`);
  exchange.refusal = problem.message;
  return renderFailure(mock.profile, problem, exchange.traceId);
}

function latencyOf({ settings, world, variations }: Mock, { traceId }: JournalExchange): number {
  const { latency } = settings;
  const ordinary = latency ? drawBetween(world, latency.least, latency.most) : 0;
  return ordinary + (variations?.answerDelay(traceId) ?? 0);
}

function reasonForDelay(forced: ForcedAnswer | undefined, heldMs: number): string {
  if (forced?.delayMs) return `asked for with ${sourceOf(forced)}`;
  return heldMs > 0 ? 'the service works on it for that long' : 'the latency or a variation of this mock';
}
