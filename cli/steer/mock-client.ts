// Calls the control API of a running mock.
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { parseExactly, writeJson } from '../../contract-tests/core/parse-json.ts';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { type ControlClient, createControlClient } from '../../mock/console/page/control-client.ts';
import { readCertificates } from '../options/connection-options.ts';
import { readUrl } from '../options/deployment-options.ts';
import { type Given, readSecret } from '../options/flags.ts';
import { lastMock } from './running-mocks.ts';

/** Calls throw MockUnreachable, or Refused with the message of the mock. */
export interface MockClient extends ControlClient {
  url: string;
  /** PEM certificates that are trusted for it in addition to the usual ones. */
  trusted: string | undefined;
  /** Opens the event stream. */
  listen(signal: AbortSignal): Promise<AsyncIterable<StreamEvent>>;
}

interface StreamEvent {
  event: string;
  data: unknown;
}

const clientLimits = {
  /** Timeouts in milliseconds: for a question, and for a change, which includes all pushes that it causes. */
  question: 30_000,
  change: 300_000,
  /** Bytes: twice the limit for loading a world, and for a message of an inbox. */
  answer: 134_217_728,
  event: 16_777_216,
};

/** The exit code is 3. */
export class MockUnreachable extends Error {}

/** The exit code is 2. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Throws MockUnreachable if no mock is found. */
export function findMock(given: Given, limits = clientLimits): MockClient {
  const named = withPath(readUrl(given, 'control-url'));
  const last = named === undefined ? lastMock() : undefined;
  const url = named ?? last?.control_url;
  if (url === undefined)
    throw new MockUnreachable(
      'no running mock was found; start one with `sitepub mock`, or pass --control-url',
    );
  const trusted = readCertificates(given, 'ca')?.pem ?? last?.certificate;
  if (trusted !== undefined) setDefaultCACertificates([...getCACertificates(), trusted]);
  return { ...createClient(url, readSecret('SITEPUB_CONTROL_TOKEN'), limits), trusted };
}

/** The path may be missing. */
function withPath(url: string | undefined): string | undefined {
  return url !== undefined && new URL(url).pathname === '/' ? `${url}/_mock` : url;
}

function createClient(
  url: string,
  token: string | undefined,
  limits: typeof clientLimits,
): Omit<MockClient, 'trusted'> {
  async function reach(request: Request, signal: AbortSignal): Promise<Response> {
    if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`);
    try {
      return await fetch(request, { signal, redirect: 'manual' });
    } catch (error) {
      if (isUntrusted(error))
        throw new MockUnreachable(
          `the certificate of ${url} is not trusted (${reasonOf(error)}); pass it, or the CA that signed it, with --ca FILE`,
        );
      throw new MockUnreachable(
        `no mock answers at ${url} (${reasonOf(error)}); start one with \`sitepub mock\`, or pass another --control-url`,
      );
    }
  }

  async function send(request: Request): Promise<unknown> {
    const { method } = request;
    const limit = method === 'GET' ? limits.question : limits.change;
    const signal = AbortSignal.timeout(limit);
    try {
      return await readAnswer(await reach(request, signal), url, limits.answer);
    } catch (error) {
      if (!signal.aborted) throw error;
      const path = new URL(request.url).pathname.slice(new URL(url).pathname.length);
      throw new MockUnreachable(
        `the mock at ${url} gave no complete answer to ${method} ${path} within ${limit / 1_000} s; check whether it still works, or pass another --control-url`,
      );
    }
  }

  return {
    url,
    ...createControlClient({ url, write: writeJson, send }),
    async listen(signal) {
      const response = await reach(new Request(`${url}/stream`), signal);
      if (!response.ok) await readAnswer(response, url, limits.answer);
      return readEvents(response, url, limits.event);
    },
  };
}

/** Throws Refused for an error. */
async function readAnswer(response: Response, url: string, most: number): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of response.body ?? []) {
      length += piece.length;
      if (length > most) break;
      pieces.push(piece);
    }
  } catch {
    throw notAMock(response, url);
  }
  if (length > most) throw tooLong(url, most);
  const answer = parseExactly(Buffer.concat(pieces).toString());
  if (answer === undefined) throw notAMock(response, url);
  if (response.ok) return answer;
  throw refusalOf(response, answer, url);
}

/** Server-sent events, each with an event line and a data line. */
async function* readEvents({ body }: Response, url: string, most: number): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body ?? []) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    if (rest.length > most) throw tooLong(url, most);
    for (const part of parts) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(part) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data: parseExactly(data) };
    }
  }
}

function tooLong(url: string, most: number): MockUnreachable {
  return new MockUnreachable(
    `the mock at ${url} answers with more than ${most / 1_048_576} MB; check --control-url`,
  );
}

function refusalOf(response: Response, answer: unknown, url: string): Error {
  const { status } = response;
  const { error } = Object(answer) as { error?: unknown };
  if (typeof error !== 'string') return notAMock(response, url);
  if (status === 401)
    return new Refused(status, `the mock at ${url} requires its control token; set SITEPUB_CONTROL_TOKEN`);
  if (status >= 500) return new MockUnreachable(`the mock at ${url} failed: ${visible(error)}`);
  return new Refused(
    status,
    `the mock refused the call: ${visible(error.replace(/^[A-Z]+ \/_mock\S*: /, ''))}`,
  );
}

function notAMock({ status }: Response, url: string): MockUnreachable {
  return new MockUnreachable(
    `${url} does not answer like the control API of a mock (HTTP ${status}); check --control-url`,
  );
}

function isUntrusted(error: unknown): boolean {
  return /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)|CERT_/.test(reasonOf(error));
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return visible(cause?.code ?? cause?.message ?? message);
}
