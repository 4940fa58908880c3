// PactumJS as a plain HTTP client. Its own expectations stay unused, for they would print whole requests, secrets included.
import type { Agent, IncomingMessage } from 'node:http';
import pactum from 'pactum';
import type { Ending } from '../core/ending.ts';
import type { RequestMessage, ResponseMessage } from '../core/exchange.ts';
import { Unreachable } from '../core/outcomes.ts';
import { openAgent, type Target, watchOption } from './connection.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import { explainDemand, explainLoss, type Loss } from './explain-loss.ts';
import { freshOption, type IdleOptions, isFarewell } from './idle-connections.ts';
import { limitLargeAnswers } from './large-answers.ts';
import { readAnswer } from './read-answer.ts';

/**
 * Sends a request and returns the response; follows no redirect. Throws Unreachable where no whole answer comes within `patience` times
 * the timeout, and where it goes beyond what is read of one.
 */
export type Send = (request: RequestMessage, patience?: number) => Promise<ResponseMessage>;

/** A client of a deployment whose requests end after `timeoutMs` milliseconds, and a moment after `ending` was interrupted. */
export function createClient(target: Target, timeoutMs: number, ending?: Ending): Send {
  pactum.settings.setLogLevel('SILENT' as never);
  pactum.settings.setReporterAutoRun(false);
  const agent = openAgent(target, timeoutMs);
  const large = limitLargeAnswers();
  return async (request, patience = 1) => {
    const limits = { timeoutMs: timeoutMs * patience, ending };
    const startedAt = performance.now();
    const answer = await orLost(request, target, () =>
      withDeadline(limits, async (deadline) => readAnswer(await ask(request, agent, deadline), large)),
    );
    // Through a tunnel only the deployment itself answers.
    const demand = request.url.startsWith('http:') && explainDemand(answer.status, target.connection);
    if (demand) throw lostAnswer(request, demand);
    const tookMs = performance.now() - startedAt;
    ending?.noteAnswer(tookMs);
    return { ...answer, tookMs };
  };
}

/** Sends a request, and returns its answer before its body is read. */
async function ask(request: RequestMessage, agent: Agent, deadline: Deadline): Promise<IncomingMessage> {
  const settings = { agent, signal: deadline.signal, [watchOption]: deadline.watch };
  const answer = await toss(request, settings);
  if (!isFarewell(answer)) return answer;
  answer.destroy();
  return toss(request, { ...settings, [freshOption]: true });
}

async function toss(
  { method, url, headers, body }: RequestMessage,
  core: { agent: Agent } & IdleOptions,
): Promise<IncomingMessage> {
  const spec = pactum
    .spec()
    .withMethod(method as 'POST')
    .withPath(url)
    .withHeaders(headers)
    .withRequestTimeout(longestMs)
    .inspect(false as never);
  if (body !== undefined) spec.withBody(body);
  setInside(spec, { stream: true, core });
  return (await spec.toss()) as unknown as IncomingMessage;
}

/** Its own limit is one on silence alone, and must never be what ends a request. */
const longestMs = 2 ** 31 - 1;

/** What PactumJS hands to Node's client. Its own `withCore` would copy the agent member by member, and so lose its methods. */
function setInside(spec: ReturnType<typeof pactum.spec>, settings: { stream: boolean; core: object }): void {
  Object.assign((spec as unknown as { _request: object })._request, settings);
}

async function orLost(
  request: RequestMessage,
  { connection }: Target,
  work: () => Promise<ResponseMessage>,
): Promise<ResponseMessage> {
  try {
    return await work();
  } catch (error) {
    throw lostAnswer(request, explainLoss(error, connection));
  }
}

function lostAnswer({ method, url }: RequestMessage, { reason, isCertain }: Loss): Unreachable {
  return new Unreachable(`${method} ${new URL(url).pathname} got no answer: ${reason}`, { isCertain });
}
