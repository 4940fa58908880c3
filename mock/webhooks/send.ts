// Sends one POST to a receiver: over kept-alive connections, within the timeout, with a limit of parallel requests per target.
import { getCACertificates } from 'node:tls';
import type { Profile } from '../../openapi/profile.ts';
import { Lane } from '../clock/lane.ts';
import { createPoster, type Message, type Place, type PostAnswer, type Poster, placeOf } from './post.ts';
import { isPrivateHost, lookUpPublic, privateTargetError } from './private-targets.ts';

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

export type Sender = ReturnType<typeof createSender>;

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

export function createSender(settings: SenderSettings) {
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

  /**
   * The message is made when its turn has come; undefined where nothing is left to send by then.
   * While a push waits, it has nothing but its place: thousands may.
   */
  function send(target: Target, makeMessage: () => Message | undefined, done: Sent): void {
    targets.enter(target.url, 1, () =>
      bytesUnderWay.enter('', target.bytes, () => start(target, makeMessage, done)),
    );
  }

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

  function sendMessage(target: Place, message: Message, done: (reply: Reply) => void): void {
    const request: PendingRequest = { path: target.path, isLeftUnanswered: false, isAborted: false };
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
        if (settings.refusesPrivateTargets && isPrivateHost(place.hostname))
          throw privateTargetError(place.hostname);
        poster ??= openPoster(settings);
        request.end = poster.post(place, message, (error, answer) => {
          if (!answer || request.isAborted) return fail(error);
          const { location } = answer;
          const next =
            location !== undefined && redirectsLeft > 0 ? URL.parse(location, place.href) : undefined;
          if (next) return visit(placeOf(next, place), redirectsLeft - 1, first ?? answer);
          const { status, body } = redirects === 'counted' ? answer : (first ?? answer);
          end({ status, body });
        });
      } catch (error) {
        fail(error);
      }
    };
    visit(target, redirects === 'not-followed' ? 0 : maxRedirects);
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
    /** The request to this path will not be answered; aborts it now, or at the next `abortWaiting`. */
    leaveUnanswered(path: string, now: boolean): void {
      const request = [...pending].find((each) => each.path === path && !each.isLeftUnanswered);
      if (request) request.isLeftUnanswered = true;
      if (now) abortWaiting();
    },
    abortWaiting,
    /** Ends all pending requests. */
    async close(): Promise<void> {
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

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return error.message === '' ? code : `${code}: ${error.message}`;
}
