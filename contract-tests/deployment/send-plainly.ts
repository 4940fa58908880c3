// One POST without a body, by Node's own client, for paths that the other client can't send.
import { request as openRequest } from 'node:http';
import { request as openSecureRequest } from 'node:https';
import { buffer as readBody } from 'node:stream/consumers';
import type { RequestMessage, ResponseMessage } from '../core/exchange.ts';
import { openAgent, type Target } from './connection.ts';
import { readResponse } from './http-client.ts';

/** Sends a request without a body; follows no redirect. Rejects where no answer comes in time. */
export function sendPlainly(
  { method, url, headers }: RequestMessage,
  target: Target,
  timeoutMs: number,
): Promise<ResponseMessage> {
  const open = url.startsWith('https:') ? openSecureRequest : openRequest;
  const agent = openAgent(target, timeoutMs);
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const request = open(url, { method, headers, signal, ...(agent && { agent }) });
    request.on('error', reject);
    request.on('response', async (response) => {
      try {
        const { statusCode = 0, headers: answered } = response;
        resolve(readResponse({ statusCode, headers: answered, buffer: await readBody(response) }));
      } catch (error) {
        reject(error);
      }
    });
    request.end();
  });
}
