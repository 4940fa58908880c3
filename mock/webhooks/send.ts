// One POST to a receiver: kept-alive connections, the whole exchange within the timeout, so many at a time for each target.
import { EventEmitter } from 'node:events';
import type { Agent, Dispatcher, request } from 'undici';
import { isPrivateHost, lookUpPublic, privateTarget } from './private-targets.ts';
import { createTargetQueue } from './target-queue.ts';

export interface Target {
  /** Tells the attempt from all others. */
  attempt: string;
  url: string;
  timeoutSeconds: number;
  /** Whether the target of a redirect is visited. The answer is the redirect in either case. */
  followsRedirects: boolean;
}

export interface Message {
  headers: Record<string, string>;
  body: string;
}

/** The answer of a receiver, or why there was none. */
export type Reply = { status: number; body: string } | { error: string };

export interface Sender {
  /** Never throws: that there was no answer is a reply too. The message is made when it is its turn. */
  send(target: Target, makeMessage: () => Message): Promise<Reply>;
  /** There will be no answer to what is sent to this path; it is given up now, or as soon as somebody hurries. */
  leaveUnanswered(path: string, now: boolean): void;
  abortWaiting(): void;
  /** Ends what is under way. */
  close(): Promise<void>;
}

interface Client {
  agent: Agent;
  request: typeof request;
}

interface Flight {
  path: string;
  isHeld: boolean;
  isAborted: boolean;
  /** Ends it by its event "abort", which costs a fraction of an AbortController. */
  signal: EventEmitter;
}

const atATimePerTarget = 16;
const keptAnswerBytes = 16_384;
const mostRedirects = 5;

export function createSender({ refusesPrivateTargets }: { refusesPrivateTargets: boolean }): Sender {
  const turns = createTargetQueue(atATimePerTarget);
  const flights = new Set<Flight>();
  let client: Promise<Client> | undefined;
  let isClosed = false;

  async function send(target: Target, makeMessage: () => Message): Promise<Reply> {
    await turns.take(target.url);
    const { pathname, search, hostname } = new URL(target.url);
    const flight = takeOff(pathname + search);
    const timer = setTimeout(() => abort(flight), target.timeoutSeconds * 1000);
    flights.add(flight);
    try {
      const message = makeMessage();
      if (isClosed) return { error: 'the mock was closed' };
      if (refusesPrivateTargets && isPrivateHost(hostname)) throw privateTarget(hostname);
      // Loaded for the first push: it would double the time until the mock is ready.
      client ??= loadClient(refusesPrivateTargets);
      const loaded = await client;
      if (flight.isAborted) return timedOut(target);
      return await exchange(loaded, target, { ...message, method: 'POST', signal: flight.signal });
    } catch (error) {
      return flight.isAborted ? timedOut(target) : { error: nameOf(error) };
    } finally {
      clearTimeout(timer);
      flights.delete(flight);
      turns.giveBack(target.url);
    }
  }

  function hurry(): void {
    for (const flight of flights) if (flight.isHeld) abort(flight);
  }

  return {
    send,
    leaveUnanswered(path, now) {
      const flight = [...flights].find((candidate) => candidate.path === path && !candidate.isHeld);
      if (flight) flight.isHeld = true;
      if (now) hurry();
    },
    abortWaiting: hurry,
    async close() {
      isClosed = true;
      const { agent } = (await client) ?? {};
      await agent?.destroy();
    },
  };
}

async function loadClient(refusesPrivateTargets: boolean): Promise<Client> {
  const { Agent, request } = await import('undici');
  return { agent: new Agent(refusesPrivateTargets ? { connect: { lookup: lookUpPublic } } : {}), request };
}

function timedOut({ timeoutSeconds }: Target): Reply {
  return { error: `no complete answer within ${timeoutSeconds} s` };
}

function takeOff(path: string): Flight {
  return { path, isHeld: false, isAborted: false, signal: new EventEmitter() };
}

function abort(flight: Flight): void {
  flight.isAborted = true;
  flight.signal.emit('abort');
}

type Options = Pick<Dispatcher.RequestOptions, 'headers' | 'body' | 'method'> & { signal: EventEmitter };

async function exchange({ agent, request }: Client, target: Target, options: Options): Promise<Reply> {
  const { statusCode, headers, body } = await request(target.url, { ...options, dispatcher: agent });
  const reply = { status: statusCode, body: await readStart(body) };
  let place = target.followsRedirects ? headers.location : undefined;
  let from = target.url;
  for (let count = 0; typeof place === 'string' && count < mostRedirects; count++) {
    from = new URL(place, from).href;
    const visited = await request(from, { ...options, dispatcher: agent });
    await visited.body.dump();
    place = visited.headers.location;
  }
  return reply;
}

/** As much of an answer as the log keeps; leaving the loop ends the connection of one that goes on. */
async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= keptAnswerBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, keptAnswerBytes).toString();
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message === '' ? code : `${code}: ${error.message}`;
}
