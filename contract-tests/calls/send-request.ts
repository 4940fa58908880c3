// Sends a request, notes lost answers, and ends the run where the deployment no longer answers.
import type { Operation, OperationId } from '../../openapi/operations.ts';
import type { Context } from '../context.ts';
import { isCleaningUp, requireTimeLeft } from '../core/call-scopes.ts';
import {
  describeAnswer,
  type Exchange,
  type RequestMessage,
  type ResponseMessage,
} from '../core/exchange.ts';
import { interruption, NotVerified, Unreachable } from '../core/outcomes.ts';

/** Operations that may take twice as long as others. */
const slowOperations: readonly OperationId[] = ['publishSite', 'failPublish', 'importSite', 'askAi'];

/** How many times the usual time an answer of an operation may take. */
export function patienceFor(operation: OperationId): number {
  return slowOperations.includes(operation) ? 2 : 1;
}

/** What a gateway answers where it can't reach the deployment. */
const gatewayStatuses: readonly number[] = [502, 503, 504];

/** So many lost answers in a row end the run, unless the deployment still answers a plain call. */
const mostLostInARow = 3;

/** Sends a request; reading is repeated where the answer is lost. Throws Unreachable where none comes in time. */
export async function sendRequest(
  context: Context,
  { id, method }: Operation,
  request: RequestMessage,
): Promise<ResponseMessage> {
  const patience = patienceFor(id);
  try {
    return await track(context, () => context.send(request, patience));
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    await noteLost(context, error);
    if (method !== 'GET') throw error;
    requireGoingOn(context);
    return track(context, () => context.send(request, patience));
  }
}

/** Throws NotVerified where the run or the check has been ended; the clean-up goes on. */
export function requireGoingOn({ signal, ended }: Pick<Context, 'signal' | 'ended'>): void {
  if (isCleaningUp()) return;
  if (signal.aborted) throw new NotVerified(interruption.reason);
  if (ended) throw new NotVerified(ended.reason);
  requireTimeLeft();
}

/** Throws Unreachable where a gateway answered: what the deployment itself did is not known then, as with a lost answer. */
export function requireOwnAnswer(context: Context, exchange: Exchange): void {
  const { status, json } = exchange.response;
  if (!gatewayStatuses.includes(status) || json !== undefined) return;
  context.losses.hasLost = true;
  throw new Unreachable(`a gateway answered instead (${describeAnswer(exchange)})`);
}

async function track(context: Context, send: () => Promise<ResponseMessage>): Promise<ResponseMessage> {
  const { inFlight, losses } = context;
  const work = send();
  inFlight.add(work);
  try {
    const answer = await losses.measure(work);
    losses.inARow = 0;
    return answer;
  } finally {
    inFlight.delete(work);
  }
}

async function noteLost(context: Context, { message }: Unreachable): Promise<void> {
  const { losses } = context;
  losses.note();
  if (isCleaningUp() || context.ended) return;
  const reason = losses.explain(message);
  if (reason !== undefined) return endRun(context, reason);
  if (losses.inARow < mostLostInARow) return;
  if (await stillAnswers(context)) {
    losses.inARow = 0;
    return;
  }
  endRun(context, `${mostLostInARow} calls in a row got no answer (the last: ${message})`);
}

function endRun(context: Context, why: string): void {
  context.ended = { kind: 'unreachable', reason: `${why}, so the run ended early` };
}

/** Chance loses three answers in a row as well: whether one of two plain calls is answered, whatever the answer. */
async function stillAnswers({ options, send }: Context): Promise<boolean> {
  const url = `${options.baseUrl}/auth/refresh`;
  for (let tries = 0; tries < 2; tries++) {
    try {
      await send({ method: 'POST', url, headers: { ...options.connection?.headers }, body: undefined });
      return true;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  return false;
}
