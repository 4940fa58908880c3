// The end of session tokens: whether the old one is valid after its renewal, how an expired one is refused, and their lifetime.
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { noteRefusal, type Probe, reportProgress } from '../discovery-probe.ts';
import { areSameRefusals } from '../refusals.ts';
import { sendRequest, useToken } from '../send-request.ts';
import { inventedToken, sendLogin, tokenIn } from './probe-login.ts';
import { renewSession, sendRefresh } from './probe-refresh.ts';

/** Uses a token without any other effect: for a creation without fields, or else for a renewal. */
async function tryToken(probe: Probe, token: string | undefined): Promise<Exchange> {
  const { siteId } = probe.options;
  if (siteId === undefined || !probe.refusals.has('invalid-request')) return sendRefresh(probe, token);
  return sendRequest(probe, {
    operation: 'createSubscription',
    path: `/tenant/sites/${siteId}/webhooks`,
    body: {},
    token,
  });
}

/** Renews the token and uses the old one. */
export async function probeOldToken(probe: Probe): Promise<void> {
  const { findings } = probe;
  if (!findings.has('refresh.token')) return;
  reportProgress(probe, 'using a token that was renewed');
  const old = await renewSession(probe);
  if (old === undefined)
    return findings.missed(['refresh.old-token'], 'the token could not be renewed once more');
  const invented = await tryToken(probe, inventedToken(old));
  const isEnded = await isRefusedLike(probe, old, invented);
  findings.found(
    'refresh.old-token',
    isEnded ? 'ended' : 'kept',
    `the old token was ${isEnded ? 'refused as an invented one is' : 'accepted after its renewal'}`,
  );
  // A deployment may regard the second use of a token as theft, and end the session.
  if (areSameRefusals(await tryToken(probe, probe.token), invented)) await logInAgain(probe);
}

/** Whether a token is refused as an invented one is, at once or a little later: an ended one may be taken for a moment. */
async function isRefusedLike(probe: Probe, token: string, invented: Exchange): Promise<boolean> {
  if (areSameRefusals(await tryToken(probe, token), invented)) return true;
  await probe.clock.pass(2_000, 'the end of a token to be known everywhere');
  return areSameRefusals(await tryToken(probe, token), invented);
}

/** Logs in once more and uses the token of the session before. */
export async function probeConcurrentSessions(probe: Probe): Promise<undefined> {
  const { findings, options, token: earlier } = probe;
  const gap = 'session.concurrent';
  if (!options.account || earlier === undefined || !findings.has('login.token')) return undefined;
  await logInAgain(probe);
  if (probe.token === earlier)
    return findings.missed([gap], 'a second login was refused, or gave the same token');
  const invented = await tryToken(probe, inventedToken(earlier));
  const isEnded = await isRefusedLike(probe, earlier, invented);
  const what = isEnded ? 'refused as an invented one is' : 'accepted';
  findings.found(
    gap,
    isEnded ? 'ended-by-login' : 'kept',
    `after a second login the token of the first one was ${what}`,
  );
}

/** The shortest window in which a repeated login may be answered as the first one was, and how often it is waited for: the longest has 30 s. */
const replayMs = 10_500;
const mostReplays = 3;

/** Begins a new session when the old one has ended. */
async function logInAgain(probe: Probe): Promise<void> {
  for (let replays = 0; replays <= mostReplays; replays++) {
    if (replays > 0) await probe.clock.pass(replayMs, 'a login to be no repetition of the one before');
    const token = await newToken(probe);
    if (token === undefined) return;
    if (probe.loginTokens.has(token)) continue;
    probe.loginTokens.add(token);
    return useToken(probe, token);
  }
}

async function newToken(probe: Probe): Promise<string | undefined> {
  const login = await sendLogin(probe);
  return succeeded(login) ? tokenIn(probe, login) : undefined;
}

/** After the clock was moved, the token may have expired. */
export async function renewOrLogIn(probe: Probe): Promise<void> {
  if (probe.options.account && (await renewSession(probe)) === undefined) await logInAgain(probe);
}

/** For how long a token of unknown lifetime is used, in milliseconds. */
const cautiousLifetimeMs = 60_000;

/** Renews the session where it may expire before the next steps are done. */
export async function keepSession(probe: Probe): Promise<void> {
  const { tokenSince, findings, clock } = probe;
  const lifetime = findings.value('token.lifetime');
  const allowedMs = typeof lifetime === 'number' ? lifetime * 600 : cautiousLifetimeMs;
  if (tokenSince !== undefined && clock.now() - tokenSince > allowedMs) await renewOrLogIn(probe);
}

/** The longest lifetime that a profile can state, in seconds. */
const longest = 31_536_000;

/** Lets a token expire. An unknown lifetime is found by halving, with a new token each time. */
export async function probeExpiry(probe: Probe): Promise<void> {
  const { clock, control, findings } = probe;
  if (!control || !clock.isMoved || !probe.options.account || !findings.has('login.token'))
    return findings.missed(
      ['token.lifetime'],
      'the login answer does not say it, and it needs a clock that can be moved; run with --control-url',
    );
  reportProgress(probe, 'letting a token expire');
  await logInAgain(probe);
  if (probe.token === undefined) return;
  await control.expireToken(probe.token);
  const expired = await tryToken(probe, probe.token);
  noteRefusal(probe, 'token-expired', expired);
  const known = findings.value('token.lifetime');
  const isRight =
    typeof known === 'number' &&
    (known === 1 || (await outlives(probe, known - 1, expired))) &&
    !(await outlives(probe, known, expired));
  if (!isRight) await findLifetime(probe, expired);
  await renewOrLogIn(probe);
}

async function findLifetime(probe: Probe, expired: Exchange): Promise<void> {
  let [alive, dead] = [0, await upperBound(probe, expired)];
  while (dead - alive > 1) {
    const middle = Math.floor((alive + dead) / 2);
    if (await outlives(probe, middle, expired)) alive = middle;
    else dead = middle;
  }
  if (dead > longest)
    return probe.findings.missed(['token.lifetime'], 'a token was still accepted after a year');
  probe.findings.found(
    'token.lifetime',
    dead,
    `a token was accepted after ${dead - 0.5} s and refused after ${dead + 0.5} s`,
  );
}

/** Whether a token is still accepted half a second after `seconds`; so a token with a lifetime of n seconds does not outlive n. */
async function outlives(probe: Probe, seconds: number, expired: Exchange): Promise<boolean> {
  await renewOrLogIn(probe);
  const start = probe.clock.now();
  await probe.clock.waitUntil(start + seconds * 1_000 + 500, 'the end of a token');
  return !areSameRefusals(await tryToken(probe, probe.token), expired);
}

/** Round numbers of hours and days first, which lifetimes usually are. */
async function upperBound(probe: Probe, expired: Exchange): Promise<number> {
  for (const seconds of [3_600, 86_400, 2_592_000, longest])
    if (!(await outlives(probe, seconds, expired))) return seconds;
  return longest + 1;
}
