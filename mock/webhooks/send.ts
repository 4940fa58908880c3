// Sends one POST to a receiver: over kept-alive connections, within the timeout, with a limit of parallel requests per target.
import { EventEmitter } from 'node:events';
import { getCACertificates } from 'node:tls';
import type { Agent, Dispatcher, request } from 'undici';
import type { Profile } from '../../openapi/profile.ts';
import { createByteBudget } from './byte-budget.ts';
import { lookUpPublic, refusePrivateTarget } from './private-targets.ts';
import { createSharedBodies } from './shared-bodies.ts';
import { createTargetQueue } from './target-queue.ts';

export interface Target {
  /** Unique name of the attempt. */
  attempt: string;
  url: string;
  /** The length of the body. */
  bytes: number;
  timeoutSeconds: number;
  /** Whether the target of a redirect is visited, and whether its answer is the reply in place of the redirect. */
  redirects: Profile['values']['webhook.redirects'];
}

export interface Message {
  headers: Record<string, string>;
  body: string;
}

/** The answer of a receiver, or the reason why there was none. */
export type Reply = { status: number; body: string } | { error: string };

export interface Sender {
  /** Never throws: a missing answer is a reply too. The message is made when its turn has come; undefined where nothing is left to send by then. */
  send(target: Target, makeMessage: () => Message | undefined): Promise<Reply | undefined>;
  /** The request to this path will not be answered; aborts it now, or at the next `abortWaiting`. */
  leaveUnanswered(path: string, now: boolean): void;
  abortWaiting(): void;
  /** Ends all pending requests. */
  close(): Promise<void>;
}

type MakeMessage = Parameters<Sender['send']>[1];

interface Client {
  /** Throws for a URL that nothing may be sent to. */
  check(url: string): void;
  agent: Agent;
  request: typeof request;
}

interface PendingRequest {
  path: string;
  isLeftUnanswered: boolean;
  isAborted: boolean;
  /** Its event "abort" ends the request, at a fraction of the cost of an AbortController. */
  signal: EventEmitter;
}

const maxRequestsPerTarget = 16;
const maxBytesUnderWay = 32_000_000;
const maxAnswerBytes = 16_384;
const maxRedirects = 5;

interface SenderSettings {
  refusesPrivateTargets: boolean;
  /** In PEM; trusted beside the usual authorities. */
  ownCertificate?: string;
}

export function createSender(settings: SenderSettings): Sender {
  const queue = createTargetQueue(maxRequestsPerTarget);
  const budget = createByteBudget(maxBytesUnderWay);
  const bodies = createSharedBodies();
  const pending = new Set<PendingRequest>();
  let client: Promise<Client> | undefined;
  let isClosed = false;

  async function send(target: Target, makeMessage: MakeMessage): Promise<Reply | undefined> {
    await queue.acquire(target.url);
    await budget.acquire(target.bytes);
    try {
      const message = makeMessage();
      return message && (await sendMessage(target, message));
    } finally {
      budget.release(target.bytes);
      queue.release(target.url);
    }
  }

  async function sendMessage(target: Target, { headers, body }: Message): Promise<Reply> {
    if (isClosed) return { error: 'the mock was closed' };
    const { pathname, search } = new URL(target.url);
    const request = createPendingRequest(pathname + search);
    const timer = setTimeout(() => abort(request), target.timeoutSeconds * 1000);
    pending.add(request);
    try {
      // Loaded for the first push, since it would double the start time of the mock.
      client ??= loadClient(settings);
      const loaded = await client;
      if (request.isAborted) return timedOut(target);
      const options = { headers, body: bodies.take(body), method: 'POST', signal: request.signal } as const;
      return await postMessage(loaded, target, options).finally(() => bodies.release(body));
    } catch (error) {
      return request.isAborted ? timedOut(target) : { error: describeError(error) };
    } finally {
      clearTimeout(timer);
      pending.delete(request);
    }
  }

  function abortWaiting(): void {
    for (const request of pending) if (request.isLeftUnanswered) abort(request);
  }

  return {
    send,
    leaveUnanswered(path, now) {
      const request = [...pending].find((each) => each.path === path && !each.isLeftUnanswered);
      if (request) request.isLeftUnanswered = true;
      if (now) abortWaiting();
    },
    abortWaiting,
    async close() {
      isClosed = true;
      const { agent } = (await client) ?? {};
      await agent?.destroy();
    },
  };
}

async function loadClient({ refusesPrivateTargets, ownCertificate }: SenderSettings): Promise<Client> {
  const { Agent, request } = await import('undici');
  const trust = ownCertificate !== undefined && {
    ca: [...getCACertificates(), ownCertificate],
    allowPartialTrustChain: true,
  };
  const connect = { ...trust, ...(refusesPrivateTargets && { lookup: lookUpPublic }) };
  return {
    check: refusesPrivateTargets ? refusePrivateTarget : () => {},
    agent: new Agent({ connect }),
    request,
  };
}

function timedOut({ timeoutSeconds }: Target): Reply {
  return { error: `no complete answer within ${timeoutSeconds} s` };
}

function createPendingRequest(path: string): PendingRequest {
  return { path, isLeftUnanswered: false, isAborted: false, signal: new EventEmitter() };
}

function abort(request: PendingRequest): void {
  request.isAborted = true;
  request.signal.emit('abort');
}

type Options = Pick<Dispatcher.RequestOptions, 'headers' | 'body' | 'method'> & { signal: EventEmitter };

/** Every address is asked about anew: a public receiver may lead to a private one. */
async function postMessage(
  { check, agent, request }: Client,
  target: Target,
  options: Options,
): Promise<Reply> {
  check(target.url);
  const { statusCode, headers, body } = await request(target.url, { ...options, dispatcher: agent });
  let reply = { status: statusCode, body: await readStart(body) };
  let location = target.redirects === 'not-followed' ? undefined : headers.location;
  let url = target.url;
  for (let count = 0; typeof location === 'string' && count < maxRedirects; count++) {
    if (!URL.canParse(location, url)) break;
    url = new URL(location, url).href;
    check(url);
    const visited = await request(url, { ...options, dispatcher: agent });
    const answer = { status: visited.statusCode, body: await readStart(visited.body) };
    if (target.redirects === 'counted') reply = answer;
    location = visited.headers.location;
  }
  return reply;
}

/** Reads as much of an answer as the log keeps; leaving the loop closes the connection of a longer one. */
async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxAnswerBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString();
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The parser's error has a code only where it knows one.
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return error.message === '' ? code : `${code}: ${error.message}`;
}
