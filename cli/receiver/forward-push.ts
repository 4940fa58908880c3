// Forwards pushes with the same method, path, headers and bytes, so that signatures stay valid.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { longestBody } from '../../contract-tests/push-receiver/limited-body.ts';
import type { ReceivedPush } from './print-push.ts';

/** The answer of the target, or why there is none. */
export interface ForwardResult {
  /** Without the query, which may contain a key. */
  url: string;
  status: number;
  /** Alternating names and values. */
  rawHeaders: string[];
  body: Buffer;
  problem?: string;
}

export type Forward = (
  push: Pick<ReceivedPush, 'method' | 'path' | 'rawHeaders' | 'body'>,
) => Promise<ForwardResult>;

const longestMs = 30_000;

/** Hop-by-hop headers, and headers that the forwarded request sets itself. */
const ownOfConnection =
  /^(connection|keep-alive|proxy-connection|proxy-authenticate|te|trailer|transfer-encoding|upgrade|expect|host|content-length)$/i;

/** `target` is a URL without a query; the path of each push is appended to it. */
export function createForwarder(target: string): Forward {
  const { origin, pathname, host, protocol } = new URL(target);
  const base = pathname.replace(/\/$/, '');
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  return async ({ method, path, rawHeaders, body }) => {
    // Not a URL object, which would normalize the path.
    const to = base + pathOf(path) || '/';
    const url = origin + to.replace(/\?.*/s, '');
    const late = AbortSignal.timeout(longestMs);
    const headers = ['Host', host, ...withoutConnection(rawHeaders), 'Connection', 'close'];
    if (body.length > 0 || method === 'POST') headers.push('Content-Length', String(body.length));
    try {
      const request = send(origin, { path: to, method, headers, agent: false, signal: late });
      // Interim answers, such as 100 Continue, are not responses.
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.on('upgrade', (_answer, socket) => {
          socket.destroy();
          reject(new Error('it answered 101, which was not requested'));
        });
        request.on('response', resolve).on('error', reject).end(body);
      });
      return {
        url,
        status: response.statusCode ?? 0,
        rawHeaders: withoutConnection(response.rawHeaders),
        body: await readAll(response),
      };
    } catch (error) {
      if (late.aborted) return failed(url, 504, `no answer within ${longestMs / 1000} s`);
      const { code, message } = error as NodeJS.ErrnoException;
      return failed(url, 502, code ?? message);
    }
  };
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > longestBody) throw new Error(`its answer is longer than ${longestBody} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A push to the root goes to the path of the target. */
function pathOf(path: string): string {
  const own = path.replace(/^https?:\/\/[^/?]*/i, '');
  return own === '/' ? '' : own.replace(/^\/(?=\?)/, '');
}

function withoutConnection(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 1 || ownOfConnection.test(name) ? [] : [name, rawHeaders[index + 1] ?? ''],
  );
}

function failed(url: string, status: number, reason: string): ForwardResult {
  const problem = `it could not be forwarded to ${url}: ${reason}`;
  const body = Buffer.from(JSON.stringify({ error: problem }));
  return { url, status, rawHeaders: ['Content-Type', 'application/json'], body, problem };
}
