// Requests by Node's own client, for paths that the other client can't send.
import { type IncomingMessage, request as openRequest } from 'node:http';
import { request as openSecureRequest } from 'node:https';
import type { Ending } from '../core/ending.ts';
import type { RequestMessage, ResponseMessage } from '../core/exchange.ts';
import { openAgent, type Target } from './connection.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import { freshOption, type IdleOptions, isFarewell } from './idle-connections.ts';
import { readAnswer } from './read-answer.ts';

interface Limits {
  timeoutMs: number;
  ending?: Ending | undefined;
}

/** A client that uses its connections again; follows no redirect. It rejects where no whole answer comes in time, as that of `createClient` does. */
export function createPlainClient(
  target: Target,
  limits: Limits,
): (request: RequestMessage) => Promise<ResponseMessage> {
  const agent = openAgent(target, limits.timeoutMs);
  return (request) =>
    withDeadline(limits, async (deadline) => readAnswer(await ask(request, { agent, ...deadline })));
}

/** Sends a single request in the same way. */
export function sendPlainly(
  request: RequestMessage,
  target: Target,
  limits: Limits,
): Promise<ResponseMessage> {
  return createPlainClient(target, limits)(request);
}

type Way = { agent: ReturnType<typeof openAgent> } & Deadline;

async function ask(request: RequestMessage, way: Way): Promise<IncomingMessage> {
  const answer = await open(request, way);
  if (!isFarewell(answer)) return answer;
  answer.destroy();
  return open(request, { ...way, [freshOption]: true });
}

function open(
  { method, url, headers, body }: RequestMessage,
  { watch, ...way }: Way & IdleOptions,
): Promise<IncomingMessage> {
  const send = url.startsWith('https:') ? openSecureRequest : openRequest;
  const request = send(url, { method, headers, ...way });
  watch(request);
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', resolve);
    request.end(body);
  });
}
