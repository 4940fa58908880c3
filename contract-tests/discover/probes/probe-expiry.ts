// Whether the old token is valid after its renewal, and how a session is kept.
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { type Probe, reportProgress } from '../discovery-probe.ts';
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
