// Sends one POST to a receiver: over kept-alive connections, within the timeout, with a limit of parallel requests per target.
import { getCACertificates } from 'node:tls';
import type { Profile } from '../../openapi/profile.ts';
import { Lane } from '../clock/lane.ts';
import { createPoster, type Message, type Place, type PostAnswer, type Poster, placeOf } from './post.ts';
import { lookUpPublic, refusePrivateHost } from './private-targets.ts';

export interface Target {
  /** The number of the push, and of the attempt to deliver it. */
  push: number;
  attempt: number;
  url: string;
  /** The length of the body. */
  bytes: number;
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

interface PendingRequest {
  path: string;
  isLeftUnanswered: boolean;
  isAborted: boolean;
  /** Ends what is under way. */
  end?: (() => void) | undefined;
}

const maxRequestsPerTarget = 16;
const maxBytesUnderWay = 32_000_000;
/** A body that is no longer, in bytes, costs less than its connection. */
const shortBody = 16_384;
const maxRedirects = 5;

interface SenderSettings {
  profile: Profile;
  refusesPrivateTargets: boolean;
  /** In PEM; trusted beside the usual authorities. */
  ownCertificate?: string;
}

export function createSender(settings: SenderSettings): Sender {
  const timeoutSeconds = settings.profile.values['webhook.timeout'];
  /** Whether the target of a redirect is visited, and whether its answer is the reply in place of the redirect. */
  const redirects = settings.profile.values['webhook.redirects'];
  const targets = new Lane({ most: maxRequestsPerTarget });
  const bytesUnderWay = new Lane({ most: maxBytesUnderWay, light: shortBody });
  const pending = new Set<PendingRequest>();
  let poster: Poster | undefined;
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
      if (!message) end();
      else if (isClosed) end(closed);
      else sendMessage(placeOfTarget(target), message, end);
    } catch (error) {
      end(undefined, error);
    }
  }

  function sendMessage(place: Place, message: Message, done: (reply: Reply) => void): void {
    const request: PendingRequest = { path: place.path, isLeftUnanswered: false, isAborted: false };
    const timer = setTimeout(abort, timeoutSeconds * 1000, request);
    pending.add(request);
    const end = (reply: Reply) => {
      clearTimeout(timer);
      pending.delete(request);
      // V8 may hold what a set has had until a major collection, and the whole exchange with it.
      request.end = undefined;
      done(reply);
    };
    const fail = (error: unknown) => {
      if (request.isAborted) end({ error: `no complete answer within ${timeoutSeconds} s` });
      else end(isClosed ? closed : { error: describeError(error) });
    };
    /** Every host is asked about anew: a public receiver may lead to a private one. */
    const visit = (place: Place, redirectsLeft: number, first?: PostAnswer) => {
      try {
        if (settings.refusesPrivateTargets) refusePrivateHost(place.hostname);
        poster ??= openPoster(settings);
        request.end = poster.post(place, message, (error, answer) => {
          if (!answer) {
            fail(error);
            return;
          }
          const next = redirectsLeft > 0 ? redirectOf(place, answer) : undefined;
          if (next) visit(next, redirectsLeft - 1, first ?? answer);
          else end(replyOf(redirects === 'counted' ? answer : (first ?? answer)));
        });
        // It may have been aborted just before it was redirected.
        if (request.isAborted) request.end?.();
      } catch (error) {
        fail(error);
      }
    };
    visit(place, redirects === 'not-followed' ? 0 : maxRedirects);
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
      poster?.close();
    },
  };
}

function openPoster({ refusesPrivateTargets, ownCertificate }: SenderSettings): Poster {
  return createPoster({
    ...(refusesPrivateTargets && { lookup: lookUpPublic }),
    ...(ownCertificate !== undefined && {
      ca: [...getCACertificates(), ownCertificate],
      allowPartialTrustChain: true,
    }),
  });
}

const closed: Reply = { error: 'the mock was closed' };

function abort(request: PendingRequest): void {
  request.isAborted = true;
  request.end?.();
}

function redirectOf(place: Place, { location }: PostAnswer): Place | undefined {
  const url = location === undefined ? null : URL.parse(location, place.href);
  return url ? placeOf(url, place) : undefined;
}

function replyOf({ status, body }: PostAnswer): Reply {
  return { status, body };
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return error.message === '' ? code : `${code}: ${error.message}`;
}
