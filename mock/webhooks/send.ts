import { getCACertificates } from 'node:tls';
import type { Profile } from '../../openapi/profile.ts';
import { Lane } from '../clock/lane.ts';
import { createPoster, type Message, type Place, type PostAnswer, type Poster, placeOf } from './post.ts';
import { isPrivateHost, lookUpPublic, privateTargetError } from './private-targets.ts';

export interface Target {
  /** The id of the delivery. */
  push: number;
  attempt: number;
  url: string;
  /** Length of the body. */
  bytes: number;
}

export type Reply = { status: number; body: string } | { error: string };

/** Called once; must not throw. Without `reply` nothing was sent: no message was left, or making it failed. */
export type Sent = (reply?: Reply, failure?: unknown) => void;

export type Sender = ReturnType<typeof createSender>;

interface PendingRequest {
  path: string;
  isLeftUnanswered: boolean;
  isAborted: boolean;
  end?: (() => void) | undefined;
}

const maxRequestsPerTarget = 16;
const maxBytesUnderWay = 32_000_000;
/** Bytes; a body up to this length costs less than its connection, so it never waits for others. */
const shortBody = 16_384;
const maxRedirects = 5;

interface SenderSettings {
  profile: Profile;
  refusesPrivateTargets: boolean;
  /** PEM; trusted besides the usual authorities. */
  ownCertificate?: string;
}

export function createSender(settings: SenderSettings) {
  const timeoutSeconds = settings.profile.values['webhook.timeout'];
  /** `followed`: the redirect is the reply although its target is visited; `counted`: the target's answer is. */
  const redirects = settings.profile.values['webhook.redirects'];
  const targets = new Lane({ most: maxRequestsPerTarget });
  const bytesUnderWay = new Lane({ most: maxBytesUnderWay, light: shortBody });
  const pending = new Set<PendingRequest>();
  let poster: Poster | undefined;
  let isClosed = false;
  /** One target often gets many pushes in a row, so its parsed address is cached. */
  let latest: { url: string; place: Place } | undefined;

  /** Calls `makeMessage` only when the push is sent, so that waiting pushes need no memory for a body. It returns undefined if there is nothing to send. */
  function send(target: Target, makeMessage: () => Message | undefined, done: Sent): void {
    targets.enter(target.url, 1, () =>
      bytesUnderWay.enter('', target.bytes, () => start(target, makeMessage, done)),
    );
  }

  function start(target: Target, makeMessage: () => Message | undefined, done: Sent): void {
    const end: Sent = (reply, failure) => {
      done(reply, failure);
      bytesUnderWay.leave('', target.bytes);
      targets.leave(target.url, 1);
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
      // V8 may retain a removed Set entry, and the exchange behind `end`, until a major collection.
      request.end = undefined;
      done(reply);
    };
    const fail = (error: unknown) => {
      if (request.isAborted) end({ error: `no complete answer within ${timeoutSeconds} s` });
      else end(isClosed ? closed : { error: describeError(error) });
    };
    /** Checks every host, since a public receiver may redirect to a private one. */
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
    /** Marks the request as never answered; aborts it now, or at the next `abortWaiting`. */
    leaveUnanswered(path: string, now: boolean): void {
      const request = [...pending].find((each) => each.path === path && !each.isLeftUnanswered);
      if (request) request.isLeftUnanswered = true;
      if (now) abortWaiting();
    },
    abortWaiting,
    close(): void {
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
