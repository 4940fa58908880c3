// Whether the old token is valid after its renewal.
import type { Exchange } from '../../core/exchange.ts';
import { inventedToken, logInAgain, renewSession, sendRefresh } from '../ask/keep-session.ts';
import { waitForNew } from '../ask/look-again.ts';
import { areSameRefusals } from '../ask/refusals.ts';
import { sendRequest } from '../ask/send.ts';
import { type Probe, reportProgress } from '../probe.ts';

/** Renews the token and uses the old one. */
export async function probeOldToken(probe: Probe): Promise<void> {
  const { findings, session } = probe;
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
  if (areSameRefusals(await tryToken(probe, session.token), invented)) await logInAgain(probe);
}

/** Uses a token without any other effect: for a creation without fields, or else for a renewal. */
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

/** Whether a token is refused as an invented one is, at once or a little later: an ended one may be taken for a moment. */
async function isRefusedLike(probe: Probe, token: string, invented: Exchange): Promise<boolean> {
  if (areSameRefusals(await tryToken(probe, token), invented)) return true;
  await waitForNew(probe);
  return areSameRefusals(await tryToken(probe, token), invented);
}
