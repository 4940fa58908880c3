// Where a mock listens, and by which names it is called.
import { domainToASCII } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { MockError } from './mock-error.ts';

/** As a Host header has it. */
function readHostName(name: string): string {
  const ascii = /^[^\s:/?#@[\]]+$/.test(name) ? domainToASCII(name) : '';
  if (/^[\w.-]+$/.test(ascii)) return ascii;
  throw new MockError(
    `--host-name is ${JSON.stringify(name)}; expected a host name alone, without scheme and port, such as mock.test`,
  );
}

/** Without a slash at the end. */
export function readPublicUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && !/[?#@]/.test(text);
  if (isPlain) return url.href.replace(/\/+$/, '');
  throw new MockError(
    `--public-url is ${JSON.stringify(text)}; expected the http or https address under which others reach the mock, such as https://mock.example`,
  );
}

/** The further names of a mock. */
export function readHostNames({ hostNames = [], publicUrl }: NamedPlace): string[] {
  const reached = publicUrl === undefined ? [] : [new URL(readPublicUrl(publicUrl)).hostname];
  return [...hostNames.map(readHostName), ...reached];
}

interface NamedPlace {
  hostNames?: readonly string[];
  publicUrl?: string;
}

/** Throws a MockError that says why not. */
export async function listen(app: FastifyInstance, port: number, host: string): Promise<void> {
  try {
    // biome-ignore lint/nursery/useAwaitThenable: Fastify's overload without a callback returns a promise
    await app.listen({ port, host });
  } catch (error) {
    throw explainListenError(error, port, host);
  }
}

export function explainListenError(error: unknown, port: number, host: string): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new MockError(
      `port ${port} on ${host} is in use; choose another with --port, or --port 0 for any free one`,
    );
  }
  return new MockError(
    `can't listen on port ${port} of ${host}: ${error instanceof Error ? error.message : String(error)}`,
  );
}
