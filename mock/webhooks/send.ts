// Sends one POST to a receiver: over kept-alive connections, within the timeout, with a limit of parallel requests per target.
import { getCACertificates } from 'node:tls';
import type { Profile } from '../../openapi/profile.ts';
import { createByteBudget } from './byte-budget.ts';
import { createPoster, type Ending, type Place, type Post, type PostAnswer, type Poster } from './post.ts';
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
  poster: Poster;
}

/** Where a push goes, with the credentials in its URL as a header. */
interface TargetPlace extends Place {
  credentials: { Authorization?: string };
}

interface PendingRequest extends Ending {
  path: string;
  isLeftUnanswered: boolean;
}

const maxRequestsPerTarget = 16;
const maxBytesUnderWay = 32_000_000;
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
  let client: Client | undefined;
  let isClosed = false;
  /** One target often gets many pushes in a row. */
  let latest: { url: string; place: TargetPlace } | undefined;

  async function send(target: Target, makeMessage: MakeMessage): Promise<Reply | undefined> {
    const turn = queue.acquire(target.url);
    if (turn !== undefined) await turn;
    const room = budget.acquire(target.bytes);
    if (room !== undefined) await room;
    try {
      const message = makeMessage();
      return message && (await sendMessage(target, message));
    } finally {
      budget.release(target.bytes);
      queue.release(target.url);
    }
  }

  async function sendMessage(target: Target, { headers, body }: Message): Promise<Reply> {
    if (isClosed) return closed;
    const place = placeOfTarget(target);
    const request = createPendingRequest(place.path);
    const timer = setTimeout(() => abort(request), target.timeoutSeconds * 1000);
    const message = { place, headers, body: bodies.take(body) };
    pending.add(request);
    try {
      client ??= createClient(settings);
      client.check(target.url);
      const answer = await postTo(client.poster, message, request);
      if (target.redirects !== 'not-followed' && answer.location !== undefined)
        return await followRedirects(client, { target, message, request }, answer);
      return replyOf(answer);
    } catch (error) {
      if (request.isAborted) return timedOut(target);
      return isClosed ? closed : { error: describeError(error) };
    } finally {
      clearTimeout(timer);
      pending.delete(request);
      bodies.release(body);
    }
  }

  function placeOfTarget({ url }: Target): TargetPlace {
    if (latest?.url !== url) latest = { url, place: placeOf(new URL(url)) };
    return latest.place;
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
      client?.poster.close();
    },
  };
}

function createClient({ refusesPrivateTargets, ownCertificate }: SenderSettings): Client {
  const trust = ownCertificate !== undefined && {
    ca: [...getCACertificates(), ownCertificate],
    allowPartialTrustChain: true,
  };
  return {
    check: refusesPrivateTargets ? refusePrivateTarget : () => {},
    poster: createPoster({ ...trust, ...(refusesPrivateTargets && { lookup: lookUpPublic }) }),
  };
}

const closed: Reply = { error: 'the mock was closed' };

function timedOut({ timeoutSeconds }: Target): Reply {
  return { error: `no complete answer within ${timeoutSeconds} s` };
}

function createPendingRequest(path: string): PendingRequest {
  return { path, isLeftUnanswered: false, isAborted: false, abort() {} };
}

function abort(request: PendingRequest): void {
  request.isAborted = true;
  request.abort();
}

/** Every address is asked about anew: a public receiver may lead to a private one. */
async function followRedirects(
  { check, poster }: Client,
  { target, message, request }: { target: Target; message: Placed; request: Ending },
  first: PostAnswer,
): Promise<Reply> {
  let { url } = target;
  let { place } = message;
  let answer = first;
  for (let count = 0; answer.location !== undefined && count < maxRedirects; count++) {
    if (!URL.canParse(answer.location, url)) break;
    const next = new URL(answer.location, url);
    url = next.href;
    check(url);
    place = withCredentials(placeOf(next), place);
    answer = await postTo(poster, { ...message, place }, request);
  }
  return replyOf(target.redirects === 'counted' ? answer : first);
}

interface Placed extends Pick<Post, 'headers' | 'body'> {
  place: TargetPlace;
}

function postTo(poster: Poster, { place, headers, body }: Placed, ending: Ending): Promise<PostAnswer> {
  const { credentials, ...to } = place;
  return poster.post({ ...to, headers: { ...headers, ...credentials }, body }, ending);
}

function placeOf({ protocol, hostname, port, pathname, search, username, password }: URL): TargetPlace {
  const given = username !== '' || password !== '';
  return {
    protocol,
    // Node takes the address of IPv6 without its brackets.
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    path: pathname + search,
    credentials: given ? { Authorization: basic(decode(username), decode(password)) } : {},
  };
}

/** Those before a redirect are good for the same origin alone. */
function withCredentials(place: TargetPlace, before: TargetPlace): TargetPlace {
  const hasOwn = place.credentials.Authorization !== undefined;
  const isSameOrigin = (['protocol', 'hostname', 'port'] as const).every(
    (part) => place[part] === before[part],
  );
  return hasOwn || !isSameOrigin ? place : { ...place, credentials: before.credentials };
}

/** https://www.rfc-editor.org/rfc/rfc7617 */
function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function replyOf({ status, body }: PostAnswer): Reply {
  return { status, body };
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return error.message === '' ? code : `${code}: ${error.message}`;
}
