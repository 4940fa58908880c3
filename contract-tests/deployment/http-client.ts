// The HTTP client of the suite, discovery and clean-up, with a deadline for each request and limits on answers.
import { type Ending, onAbort } from '../core/ending.ts';
import type { RequestMessage, ResponseMessage } from '../core/exchange.ts';
import { Unreachable } from '../core/outcomes.ts';
import { connectionsTo, type Target } from './connection.ts';
import { withDeadline } from './deadline.ts';
import { explainLoss } from './explain-loss.ts';
import { limitLargeAnswers } from './large-answers.ts';
import { createLines, type Line } from './lines.ts';
import { readAnswer } from './read-answer.ts';
import { type ReceivedAnswer, receiveAnswer } from './receive-answer.ts';

/** Does not follow redirects. Rejects without a complete answer within `patience` times the timeout, and beyond the size limits. */
export type Send = (request: RequestMessage, patience?: number) => Promise<ResponseMessage>;

/** A client of a deployment. Requests end after `timeoutMs`, or a moment after an interruption. It throws Unreachable. */
export function createClient(target: Target, timeoutMs: number, ending?: Ending): Send {
  const send = createSender(target, timeoutMs, ending);
  return async (request, patience) => {
    const startedAt = performance.now();
    const answer = await send(request, patience).catch((error: unknown) => {
      const { reason, isCertain } = explainLoss(error, target.connection);
      const { pathname } = new URL(request.url);
      throw new Unreachable(`${request.method} ${pathname} got no answer: ${reason}`, { isCertain });
    });
    const tookMs = performance.now() - startedAt;
    ending?.noteAnswer(tookMs);
    return { ...answer, tookMs };
  };
}

/** The same for other servers. It throws an Error that `explainLoss` explains. */
export function createSender(target: Target, timeoutMs: number, ending?: Ending): Send {
  const lines = createLines(connectionsTo(target));
  const large = limitLargeAnswers();
  const ask = async (line: Line, request: RequestMessage, signal: AbortSignal): Promise<ReceivedAnswer> => {
    const forget = onAbort(signal, line.close);
    try {
      return await receiveAnswer(line.dispatcher, request, large);
    } catch (error) {
      line.close();
      throw error;
    } finally {
      forget();
    }
  };
  return (request, patience = 1) =>
    withDeadline({ timeoutMs: timeoutMs * patience, ending }, async (signal) => {
      let line = await lines.take();
      let answer = await ask(line, request, signal);
      if (isIdleTimeout(answer, line)) {
        answer.endTurn();
        line.close();
        line = await lines.take(true);
        answer = await ask(line, request, signal);
      }
      lines.giveBack(line);
      return readAnswer(answer, large);
    });
}

/** Some servers write 408 before they close an idle connection. They did not process the request (RFC 9110, section 15.5.9). */
function isIdleTimeout({ status }: ReceivedAnswer, { answers }: Line): boolean {
  return status === 408 && answers > 0;
}
