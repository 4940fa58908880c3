// PactumJS as a plain HTTP client. Its own expectations stay unused, for they would print whole requests, secrets included.
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import pactum from 'pactum';
import type { RequestMessage, ResponseMessage } from '../core/exchange.ts';
import { Unreachable } from '../core/outcomes.ts';
import { parseJson } from '../core/parse-json.ts';

/** Sends a request and returns the response; follows no redirect. Throws Unreachable when none comes within `patience` times the timeout. */
export type Send = (request: RequestMessage, patience?: number) => Promise<ResponseMessage>;

interface PactumResponse {
  statusCode: number;
  headers: ResponseMessage['headers'];
  buffer?: Buffer;
}

/** A client whose requests end after `timeoutMs` milliseconds. */
export function createClient(timeoutMs: number): Send {
  pactum.settings.setLogLevel('SILENT' as never);
  pactum.settings.setReporterAutoRun(false);
  return async (request, patience = 1) => {
    const spec = pactum
      .spec()
      .withMethod(request.method as 'POST')
      .withPath(request.url)
      .withHeaders(request.headers)
      .withRequestTimeout(timeoutMs * patience)
      .inspect(false as never);
    if (request.body !== undefined) spec.withBody(request.body);
    return readResponse(await toss(spec, request));
  };
}

async function toss(
  spec: ReturnType<typeof pactum.spec>,
  { method, url }: RequestMessage,
): Promise<PactumResponse> {
  try {
    return (await spec.toss()) as unknown as PactumResponse;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Unreachable(`${method} ${new URL(url).pathname} got no answer: ${reason}`);
  }
}

function readResponse({ statusCode, headers, buffer }: PactumResponse): ResponseMessage {
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
