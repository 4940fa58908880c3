// Finds the token in the login answer, its renewal, and whether the old token stays valid.
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import {
  inventedToken,
  logInAgain,
  renewSession,
  sendRefresh,
  type TokenCandidate,
  tokenCandidates,
  useRenewedToken,
} from '../ask/log-in.ts';
import { areSameRefusals, hasEnvelope, isSameError } from '../ask/refusals.ts';
import { later, sendRequest, untilAccepted, waitForNew } from '../ask/send.ts';
import { hintedNames } from '../names/hints.ts';
import { findField, tokenNames } from '../names/likely.ts';
import type { Probe } from '../probe.ts';

const refreshGaps = ['refresh.token', 'refresh.request', 'refresh.status', 'refresh.old-token'];

export async function probeRefresh(probe: Probe, login: Exchange): Promise<void> {
  const { session, findings, clock } = probe;
  const candidates = tokenCandidates(probe, login);
  const invented = await sendRefresh(probe, inventedToken(candidates[0]?.token));
  const used =
    (await useCandidates(probe, candidates, invented)) ??
    (await later(probe, () => useCandidates(probe, candidates, invented)));
  if (used) {
    const { candidate } = used;
    // The deployment may not know a new token everywhere yet and refuse it with the code for a made-up one.
    const isUnknown = !succeeded(used.renewal) && isSameError(used.renewal, invented);
    const again = () => sendRefresh(probe, candidate.token);
    const renewal = isUnknown ? await untilAccepted(probe, again) : used.renewal;
    session.token = candidate.token;
    session.tokenSince = clock.now();
    const evidence = `the deployment accepted the text at ${candidate.pointer} of the login answer as Bearer token`;
    findings.found('login.token', candidate.pointer, evidence);
    return succeeded(renewal) ? followRenewal(probe, renewal) : findBody(probe, renewal);
  }
  const reason =
    candidates.length === 0
      ? 'the login answer contains no text that could be a token'
      : `POST /auth/refresh accepted none of the ${candidates.length} texts in the login answer as Bearer token`;
  findings.missed(['login.token', ...refreshGaps], reason);
  // Without a renewal, the creation of a subscription tries the likeliest text.
  if (!hasEnvelope(invented)) session.token = candidates[0]?.token;
}

/** Returns the first text that the deployment does not refuse like a made-up token. */
async function useCandidates(probe: Probe, candidates: readonly TokenCandidate[], invented: Exchange) {
  for (const candidate of candidates) {
    const renewal = await sendRefresh(probe, candidate.token);
    if (succeeded(renewal) || !areSameRefusals(renewal, invented)) return { candidate, renewal };
  }
  return undefined;
}

/** After a successful renewal without a body. */
async function followRenewal(probe: Probe, renewal: Exchange): Promise<void> {
  const { findings } = probe;
  findings.found('refresh.status', renewal.response.status, 'the status of the refresh answer');
  if (!(await findRenewed(probe, renewal))) return;
  // A deployment that reads a body refuses an empty object.
  const empty = await sendRefresh(probe, probe.session.token, {});
  if (!succeeded(empty)) return findBody(probe, empty);
  await useRenewedToken(probe, empty);
  const evidence = 'a refresh without a body passed, and one with an empty object as well';
  findings.found('refresh.request', 'none', evidence);
}

/** The renewed token is the text that can be renewed again. */
async function findRenewed(
  probe: Probe,
  renewal: Exchange,
  body?: (token: string) => unknown,
): Promise<boolean> {
  const old = probe.session.token;
  for (const { pointer, token } of renewedCandidates(renewal, probe)) {
    const next = await untilAccepted(probe, () => sendRefresh(probe, token, body?.(token)));
    if (!succeeded(next)) continue;
    const evidence = `the deployment accepted the text at ${pointer} of the refresh answer as Bearer token`;
    probe.findings.found('refresh.token', pointer, evidence);
    return (await useRenewedToken(probe, next)) && old !== undefined;
  }
  probe.findings.missed(
    ['refresh.token', 'refresh.old-token'],
    'the deployment accepted no text of the refresh answer as Bearer token',
  );
  return false;
}

/** Tries the pointer of the login answer first. */
function renewedCandidates(renewal: Exchange, probe: Probe): TokenCandidate[] {
  const pointer = probe.findings.value('login.token');
  const isOther = (candidate: TokenCandidate) => Number(candidate.pointer !== pointer);
  return tokenCandidates(probe, renewal).sort((one, other) => isOther(one) - isOther(other));
}

async function findBody(probe: Probe, refusal: Exchange): Promise<undefined> {
  const isLikely = (name: string) => tokenNames.includes(name) || /token|session|jwt/i.test(name);
  const passes = (names: readonly string[]) => attemptRenewal(probe, names);
  const name = await findField(hintedNames(refusal), { isLikely, likely: tokenNames }, passes);
  if (name === undefined)
    return probe.findings.missed(
      refreshGaps,
      `the deployment accepted the token under no likely name (${describeAnswer(refusal)})`,
    );
  const evidence = `a refresh with the token in "${name}" passed; one with an empty object was refused`;
  probe.findings.found('refresh.request', { [name]: '{token}' }, evidence);
}

async function attemptRenewal(probe: Probe, names: readonly string[]): Promise<boolean> {
  const bodyOf = (token: string | undefined) => Object.fromEntries(names.map((name) => [name, token]));
  const renewal = await sendRefresh(probe, probe.session.token, bodyOf(probe.session.token));
  if (!succeeded(renewal)) return false;
  probe.findings.found('refresh.status', renewal.response.status, 'the status of the refresh answer');
  if (probe.findings.has('refresh.token')) return useRenewedToken(probe, renewal);
  return findRenewed(probe, renewal, bodyOf);
}

export async function probeOldToken(probe: Probe): Promise<void> {
  const { findings, session } = probe;
  const old = await renewSession(probe);
  if (old === undefined)
    return findings.missed(['refresh.old-token'], 'a second renewal of the token failed');
  const invented = await tryToken(probe, inventedToken(old));
  const isEnded = await isRefusedLike(probe, old, invented);
  const evidence = `the deployment ${isEnded ? 'refused the old token like a made-up one' : 'accepted the old token after its renewal'}`;
  findings.found('refresh.old-token', isEnded ? 'ended' : 'kept', evidence);
  // A deployment may treat the second use of a token as theft and end the session.
  if (areSameRefusals(await tryToken(probe, session.token), invented)) await logInAgain(probe);
}

/** Uses a token for a creation without fields, which has no effect, or else for a renewal. */
async function tryToken(probe: Probe, token: string | undefined): Promise<Exchange> {
  const { siteId } = probe.options;
  if (siteId === undefined || !probe.seen.refusals.has('invalid-request')) return sendRefresh(probe, token);
  return sendRequest(probe, {
    operation: 'createSubscription',
    path: `/tenant/sites/${siteId}/webhooks`,
    body: {},
    token,
  });
}

/** Asks twice, because a deployment may still accept an ended token for a moment. */
async function isRefusedLike(probe: Probe, token: string, invented: Exchange): Promise<boolean> {
  if (areSameRefusals(await tryToken(probe, token), invented)) return true;
  await waitForNew(probe);
  return areSameRefusals(await tryToken(probe, token), invented);
}
