// PactumJS as a plain HTTP client. Its own expectations stay unused, for they would print whole requests, secrets included.
import type { Agent } from 'node:http';
import pactum from 'pactum';
import type { RequestMessage, ResponseMessage } from '../core/exchange.ts';
import { Unreachable } from '../core/outcomes.ts';
import { parseJson } from '../core/parse-json.ts';
import { openAgent, type Target } from './connection.ts';
import { explainDemand, explainLoss, type Loss } from './explain-loss.ts';

/** Sends a request and returns the response; follows no redirect. Throws Unreachable when none comes within `patience` times the timeout. */
export type Send = (request: RequestMessage, patience?: number) => Promise<ResponseMessage>;

interface PactumResponse {
  statusCode: number;
  headers: ResponseMessage['headers'];
  buffer?: Buffer;
}

/** A client of a deployment whose requests end after `timeoutMs` milliseconds. */
export function createClient(target: Target, timeoutMs: number): Send {
  pactum.settings.setLogLevel('SILENT' as never);
  pactum.settings.setReporterAutoRun(false);
  const agent = openAgent(target, timeoutMs);
  return async (request, patience = 1) => {
    const spec = pactum
      .spec()
      .withMethod(request.method as 'POST')
      .withPath(request.url)
      .withHeaders(request.headers)
      .withRequestTimeout(timeoutMs * patience)
      .inspect(false as never);
    if (request.body !== undefined) spec.withBody(request.body);
    if (agent) useAgent(spec, agent);
    return readResponse(await toss(spec, request, target));
  };
}

type Spec = ReturnType<typeof pactum.spec>;

/** `withCore` would copy the agent member by member, and so lose its methods. */
function useAgent(spec: Spec, agent: Agent): void {
  (spec as unknown as { _request: { core?: { agent: Agent } } })._request.core = { agent };
}

async function toss(spec: Spec, request: RequestMessage, { connection }: Target): Promise<PactumResponse> {
  let answer: PactumResponse;
  try {
    answer = (await spec.toss()) as unknown as PactumResponse;
  } catch (error) {
    throw lostAnswer(request, explainLoss(error, connection));
  }
  // Through a tunnel only the deployment itself answers.
  const demand = request.url.startsWith('http:') && explainDemand(answer.statusCode, connection);
  if (demand) throw lostAnswer(request, demand);
  return answer;
}

function lostAnswer({ method, url }: RequestMessage, { reason, isCertain }: Loss): Unreachable {
  return new Unreachable(`${method} ${new URL(url).pathname} got no answer: ${reason}`, { isCertain });
}

function readResponse({ statusCode, headers, buffer }: PactumResponse): ResponseMessage {
  const text = buffer?.toString('utf8') ?? '';
  return { status: statusCode, headers, text, json: parseJson(text) };
}
