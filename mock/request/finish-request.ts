// How a request ends: refused or answered, after a while or at once, and recorded.
import { ApiError, internal } from '../http/api-errors.ts';
import type { Arrival, JournalExchange } from '../http/journal-exchange.ts';
import { type Answer, renderFailure } from '../http/render-envelope.ts';
import type { Service } from '../service.ts';
import { drawBetween } from '../world/random.ts';
import type { ActiveRequest } from './course.ts';
import { type ForcedAnswer, sourceOf } from './forced-answers.ts';
import { closeExchange, openExchange } from './record-exchange.ts';

/** The answer to a request that reached no operation. */
export function refuseOutside(service: Service, error: unknown, arrival: Arrival): Answer {
  const exchange = openExchange(service, arrival);
  return closeExchange(service, exchange, refuse(service, error, exchange));
}

/** The same as a turn of its own where other processes share the world: its trace id is drawn once, and who asks one of them for its entry in the journal then, finds it. */
export function refuseInTurn(service: Service, error: unknown, arrival: Arrival): Answer | Promise<Answer> {
  const refuse = () => refuseOutside(service, error, arrival);
  return service.store?.shared ? service.store.run(refuse).catch(refuse) : refuse();
}

/** The answer to a request that failed in an operation. */
export function refuseActive(service: Service, active: ActiveRequest, error: unknown): Answer {
  active.uncount?.();
  active.heldMs = 0;
  return refuse(service, error, active.exchange);
}

/** For how long the answer is held back, in milliseconds. */
export function delayOf(service: Service, { exchange, forced, heldMs }: ActiveRequest): number {
  const delay = (forced?.delayMs ?? 0) + heldMs + latencyOf(service, exchange);
  if (delay > 0) exchange.delayReason = reasonForDelay(forced, heldMs);
  return delay;
}

/** Records the request, and returns what is sent. */
export function finish(service: Service, { workKey, exchange }: ActiveRequest, answer: Answer): Answer {
  if (workKey !== undefined) service.callsInProgress.delete(workKey);
  return closeExchange(service, exchange, answer);
}

/** An unexpected exception is reported to the log only. */
function refuse(service: Service, error: unknown, exchange: JournalExchange): Answer {
  const problem = error instanceof ApiError ? error : internal();
  if (problem !== error)
    service.log(`${exchange.traceId} ${error instanceof Error ? error.stack : String(error)}`);
  exchange.refusal = problem.message;
  return renderFailure(service.profile, problem, exchange.traceId);
}

function latencyOf({ settings, world, variations }: Service, { traceId }: JournalExchange): number {
  const { latency } = settings;
  const ordinary = latency ? drawBetween(world, latency.least, latency.most) : 0;
  return ordinary + (variations?.answerDelay(traceId) ?? 0);
}

function reasonForDelay(forced: ForcedAnswer | undefined, heldMs: number): string {
  if (forced?.delayMs) return `asked for with ${sourceOf(forced)}`;
  return heldMs > 0 ? 'the service works on it for that long' : 'the latency or a variation of this mock';
}
