// Sends one POST to a receiver: over kept-alive connections, within the timeout, with a limit of parallel requests per target.
import { getCACertificates } from 'node:tls';
import type { Profile } from '../../openapi/profile.ts';
import { Lane } from '../clock/lane.ts';
import { createPoster, type Ending, type Place, type PostAnswer, type Poster, placeOf } from './post.ts';
import { lookUpPublic, refusePrivateTarget } from './private-targets.ts';

export interface Target {
  /** The number of the push, and of the attempt to deliver it. */
  push: number;
  attempt: number;
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

/** Called once, and must not throw. A missing answer is a reply too; without a reply, nothing was sent: because nothing was left to send, or could be made. */
export type Sent = (reply?: Reply, failure?: unknown) => void;

export interface Sender {
  /** The message is made when its turn has come; undefined where nothing is left to send by then. */
  send(target: Target, makeMessage: () => Message | undefined, done: Sent): void;
  /** The request to this path will not be answered; aborts it now, or at the next `abortWaiting`. */
  leaveUnanswered(path: string, now: boolean): void;
  abortWaiting(): void;
  /** Ends all pending requests. */
  close(): Promise<void>;
}

interface Client {
  /** Throws for a URL that nothing may be sent to. */
  check(url: string): void;
  poster: Poster;
}

interface PendingRequest extends Ending {
  path: string;
  isLeftUnanswered: boolean;
}

const maxRequestsPerTarget = 16;
const maxBytesUnderWay = 32_000_000;
/** A body that is no longer, in bytes, costs less than its connection. */
const shortBody = 16_384;
const maxRedirects = 5;

interface SenderSettings {
  refusesPrivateTargets: boolean;
  /** In PEM; trusted beside the usual authorities. */
  ownCertificate?: string;
}

export function createSender(settings: SenderSettings): Sender {
  const targets = new Lane({ most: maxRequestsPerTarget });
  const bytesUnderWay = new Lane({ most: maxBytesUnderWay, light: shortBody });
  const bodies = createSharedBodies();
  const pending = new Set<PendingRequest>();
  let client: Client | undefined;
  let isClosed = false;
  /** One target often gets many pushes in a row. */
  let latest: { url: string; place: Place } | undefined;

  /** While a push waits, it has nothing but its place: thousands may. */
  const send: Sender['send'] = (target, makeMessage, done) =>
    targets.enter(target.url, 1, () =>
      bytesUnderWay.enter('', target.bytes, () => start(target, makeMessage, done)),
    );

  function start(target: Target, makeMessage: () => Message | undefined, done: Sent): void {
    const end: Sent = (reply, failure) => {
      done(reply, failure);
      bytesUnderWay.leave('', target.bytes);
      targets.leave(target.url);
    };
    try {
      const message = makeMessage();
      if (message) sendMessage(target, message, end);
      else end();
    } catch (error) {
      end(undefined, error);
    }
  }

  function sendMessage(target: Target, { headers, body }: Message, done: (reply: Reply) => void): void {
    if (isClosed) {
      done(closed);
      return;
    }
    const place = placeOfTarget(target);
    const { path } = place;
    const request: PendingRequest = { path, isLeftUnanswered: false, isAborted: false, abort() {} };
    const timer = setTimeout(abort, target.timeoutSeconds * 1000, request);
    const bytes = bodies.take(body);
    pending.add(request);
    const end = (reply: Reply) => {
      clearTimeout(timer);
      pending.delete(request);
      bodies.release(body);
      done(reply);
    };
    const fail = (error: unknown) => {
      if (request.isAborted) end(timedOut(target));
      else end(isClosed ? closed : { error: describeError(error) });
    };
    /** Every address is asked about anew: a public receiver may lead to a private one. */
    const post = (url: string, place: Place, answered: (answer: PostAnswer) => void) => {
      try {
        client ??= createClient(settings);
        client.check(url);
        client.poster.post({ place, headers, body: bytes }, request, (error, answer) =>
          answer ? answered(answer) : fail(error),
        );
      } catch (error) {
        fail(error);
      }
    };
    const { url, redirects } = target;
    post(url, place, (answer) => {
      if (redirects === 'not-followed') end(replyOf(answer));
      else
        followRedirects({ url, place, answer }, post, (last) =>
          end(replyOf(redirects === 'counted' ? last : answer)),
        );
    });
  }

  function placeOfTarget({ url }: Target): Place {
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

function abort(request: PendingRequest): void {
  request.isAborted = true;
  request.abort();
}

interface Visit {
  url: string;
  place: Place;
  answer: PostAnswer;
}

type PostTo = (url: string, place: Place, answered: (answer: PostAnswer) => void) => void;

/** Calls back with the answer of the last redirect that can be followed. */
function followRedirects(
  { url, place, answer }: Visit,
  post: PostTo,
  done: (answer: PostAnswer) => void,
  left = maxRedirects,
): void {
  if (answer.location === undefined || left === 0 || !URL.canParse(answer.location, url)) {
    done(answer);
    return;
  }
  const next = new URL(answer.location, url);
  const to = withCredentials(placeOf(next), place);
  post(next.href, to, (further) =>
    followRedirects({ url: next.href, place: to, answer: further }, post, done, left - 1),
  );
}

/** Those before a redirect are good for the same origin alone. */
function withCredentials(place: Place, { protocol, host, authorization }: Place): Place {
  const isSameOrigin = place.protocol === protocol && place.host === host;
  return place.authorization === undefined && isSameOrigin ? { ...place, authorization } : place;
}

function replyOf({ status, body }: PostAnswer): Reply {
  return { status, body };
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return error.message === '' ? code : `${code}: ${error.message}`;
}

/** Texts as the bytes that are sent: long ones are made once for all who send the same text at a time. */
export function createSharedBodies() {
  const shared = new Map<string, { bytes: Buffer; users: number }>();
  return {
    /** Whoever takes a body gives it back by `release`. */
    take(text: string): Buffer | string {
      if (text.length < shortBody) return text;
      const body = shared.get(text) ?? { bytes: Buffer.from(text), users: 0 };
      if (body.users++ === 0) shared.set(text, body);
      return body.bytes;
    },
    release(text: string): void {
      if (text.length < shortBody) return;
      const body = shared.get(text);
      if (body && --body.users === 0) shared.delete(text);
    },
  };
}
