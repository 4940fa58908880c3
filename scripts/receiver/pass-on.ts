// Passes pushes on to another receiver as they came: the same method, path, headers and bytes, so that signatures stay right.
import { Agent } from 'undici';
import type { ReceivedPush } from './print-push.ts';

/** What the target answered, or why there is no answer of it. */
export interface PassedOn {
  /** Where it was passed on to, without the query, which may hold a key. */
  url: string;
  status: number;
  /** Names and values alternately. */
  rawHeaders: string[];
  body: Buffer;
  problem?: string;
}

export type PassOn = (
  push: Pick<ReceivedPush, 'method' | 'path' | 'rawHeaders' | 'body'>,
) => Promise<PassedOn>;

const longestMs = 30_000;
const mostBytes = 8_000_000;

/** Headers of one connection, and those that are made anew. */
const ownOfConnection =
  /^(connection|keep-alive|proxy-connection|proxy-authenticate|te|trailer|transfer-encoding|upgrade|expect|host|content-length)$/i;

/** `target` is an address without a query; the path of a push is put behind its own. */
export function createPassOn(target: string): PassOn {
  const { origin, pathname } = new URL(target);
  const base = pathname.replace(/\/$/, '');
  const agent = new Agent();
  return async ({ method, path, rawHeaders, body }) => {
    // Not as a URL, which would be brought into its normal form.
    const to = base + pathOf(path) || '/';
    const url = origin + to.replace(/\?.*/s, '');
    try {
      const response = await agent.request({
        origin,
        path: to,
        method: method as 'POST',
        headers: withoutConnection(rawHeaders),
        ...(body.length > 0 && { body }),
        responseHeaders: 'raw',
        signal: AbortSignal.timeout(longestMs),
      });
      // With `raw` they are a list, whatever their type says.
      const headers = withoutConnection(response.headers as unknown as string[]);
      return { url, status: response.statusCode, rawHeaders: headers, body: await readAll(response.body) };
    } catch (error) {
      const isLate = (error as Error).name === 'TimeoutError';
      const reason = isLate ? `no answer within ${longestMs / 1000} s` : reasonOf(error);
      return failed(url, isLate ? 504 : 502, reason);
    }
  };
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`its answer is longer than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A push to the root goes to the target's own path. */
function pathOf(path: string): string {
  const own = path.replace(/^https?:\/\/[^/?]*/i, '');
  return own === '/' ? '' : own.replace(/^\/(?=\?)/, '');
}

function withoutConnection(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 1 || ownOfConnection.test(name) ? [] : [name, rawHeaders[index + 1] ?? ''],
  );
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

function failed(url: string, status: number, reason: string): PassedOn {
  const problem = `it could not be passed on to ${url}: ${reason}`;
  const body = Buffer.from(JSON.stringify({ error: problem }));
  return { url, status, rawHeaders: ['Content-Type', 'application/json'], body, problem };
}
