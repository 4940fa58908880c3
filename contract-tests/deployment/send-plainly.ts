// One request by Node's own client, for paths that the other client can't send.
import { type IncomingMessage, request as openRequest } from 'node:http';
import { request as openSecureRequest } from 'node:https';
import type { Ending } from '../core/ending.ts';
import type { RequestMessage, ResponseMessage } from '../core/exchange.ts';
import { openAgent, type Target } from './connection.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import { readAnswer } from './read-answer.ts';

/** Sends a request; follows no redirect. Rejects where no whole answer comes in time, as that of `createClient` does. */
export function sendPlainly(
  request: RequestMessage,
  target: Target,
  { timeoutMs, ending }: { timeoutMs: number; ending?: Ending | undefined },
): Promise<ResponseMessage> {
  return withDeadline({ timeoutMs, ending }, async (deadline) =>
    readAnswer(await open(request, openAgent(target, timeoutMs), deadline)),
  );
}

function open(
  { method, url, headers, body }: RequestMessage,
  agent: ReturnType<typeof openAgent>,
  { signal, watch }: Deadline,
): Promise<IncomingMessage> {
  const request = (url.startsWith('https:') ? openSecureRequest : openRequest)(url, {
    method,
    headers,
    signal,
    agent,
  });
  watch(request);
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', resolve);
    request.end(body);
  });
}
