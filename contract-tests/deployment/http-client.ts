// PactumJS as a plain HTTP client. Its own expectations stay unused, for they would print whole requests, secrets included.
import type { Agent } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import pactum from 'pactum';
import type { RequestMessage, ResponseMessage } from '../core/exchange.ts';
import { Unreachable } from '../core/outcomes.ts';
import { parseJson } from '../core/parse-json.ts';
import { openAgent, type Target } from './connection.ts';
import { explainDemand, explainLoss, type Loss } from './explain-loss.ts';

/** Sends a request and returns the response; follows no redirect. Throws Unreachable when none comes within `patience` times the timeout. */
export type Send = (request: RequestMessage, patience?: number) => Promise<ResponseMessage>;

/** An answer as Node has it. */
interface RawResponse {
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

async function toss(spec: Spec, request: RequestMessage, { connection }: Target): Promise<RawResponse> {
  let answer: RawResponse;
  try {
    answer = (await spec.toss()) as unknown as RawResponse;
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

export function readResponse({ statusCode, headers, buffer }: RawResponse): ResponseMessage {
  const text = buffer ? decodeBody(buffer, String(headers['content-encoding'] ?? '')).toString('utf8') : '';
  return { status: statusCode, headers, text, json: parseJson(text) };
}

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** A server may compress for a client that says nothing of codings (RFC 9110, section 12.5.3). What can't be decoded stays as it came. */
function decodeBody(body: Buffer, coding: string): Buffer {
  const decode = decoders[coding.trim().toLowerCase()];
  try {
    return decode ? decode(body) : body;
  } catch {
    return body;
  }
}
