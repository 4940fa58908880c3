// What counts for one site or for the whole deployment, and which other calls are idempotent.
import { succeeded } from '../../core/exchange.ts';
import { isJsonNumber } from '../../core/parse-json.ts';
import { isGiven } from '../call-operations.ts';
import { createOwn } from '../create-own.ts';
import { nextPath, type Probe, reportProgress, urlOf } from '../discovery-probe.ts';
import { requireSubscription, waitForPush } from '../pushes/test-pushes.ts';
import { creationBody, plainEvents, sendCreation } from '../send-creation.ts';
import { untilAccepted } from '../send-request.ts';
import { isRepetitionKnown, keyHeaders } from './probe-repetition.ts';
import { subscriptionIdIn, testSubscription } from './probe-subscription.ts';

/** Tests a subscription twice, with the same key where keys are in use. */
export async function probeIdempotencyScope(probe: Probe): Promise<undefined> {
  const gap = 'idempotency.scope';
  if (!probe.listener || probe.needsTestBody) return undefined;
  reportProgress(probe, 'repeating a test');
  const { id, path } = await requireSubscription(probe);
  const headers = keyHeaders(probe, `${probe.runId}-${probe.count.requests}`);
  const test = () => testSubscription(probe, id, undefined, headers);
  if (!succeeded(await untilAccepted(probe, test)) || !(await waitForPush(probe, path)))
    return probe.findings.missed([gap], 'a test was refused, or its message did not come');
  if (!succeeded(await test())) return probe.findings.missed([gap], 'a repeated test was refused');
  const isSentAgain = (await waitForPush(probe, path, 2)) !== undefined;
  const what = `two tests of a subscription right after one another sent ${isSentAgain ? 'a message each' : 'one message'}`;
  if (!isSentAgain) return probe.findings.found(gap, 'every-post', what);
  if (isRepetitionKnown(probe)) return probe.findings.found(gap, 'writes', what);
  probe.findings.missed([gap], `${what}, and it is not known what makes a call a repetition`);
}

/** Creates subscriptions on two sites by turns, where a site can be created and deleted: their identifiers show what is counted. */
export async function probeIdScope(probe: Probe): Promise<undefined> {
  const gap = 'subscription.id-scope';
  if (!isGiven(probe, 'createSite') || !isGiven(probe, 'deleteSite'))
    return probe.findings.missed(
      [gap],
      'it needs a second site, that is operation.create-site and -delete-site',
    );
  reportProgress(probe, 'creating subscriptions on two sites');
  const name = `sitepub-${probe.runId}-ids`;
  const other = (await createOwn(probe, 'createSite', { name })).values.id;
  if (other === undefined)
    return probe.findings.missed([gap], 'no site was created, or its identifier is not known');
  const { siteId } = probe.options;
  const [one, between, next] = [
    await createOn(probe, siteId),
    await createOn(probe, other),
    await createOn(probe, siteId),
  ].map((id) => (isJsonNumber(id) ? BigInt(id) : id));
  const evidence = `the identifiers ${one} and ${next} on a site, and ${between} on another one between them`;
  if (typeof one !== 'bigint' || typeof between !== 'bigint' || typeof next !== 'bigint')
    return probe.findings.missed([gap], `identifiers that are no numbers do not show it: ${evidence}`);
  if (one < between && between < next) return probe.findings.found(gap, 'global', evidence);
  if (next === one + 1n) return probe.findings.found(gap, 'per-site', evidence);
  probe.findings.missed([gap], `they are not counted up: ${evidence}`);
}

async function createOn(probe: Probe, site: unknown): Promise<unknown> {
  const target = urlOf(probe, nextPath(probe));
  const body = creationBody(probe, { url: target, events: plainEvents, channel: 'custom' });
  const exchange = await untilAccepted(probe, () => sendCreation(probe, body, { target, site }));
  return succeeded(exchange) ? subscriptionIdIn(probe, exchange) : undefined;
}
