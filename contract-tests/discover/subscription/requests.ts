// The two webhook calls, with the names that were found, and which unknown fields and signing secrets a deployment takes.
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { nextPath } from '../../subscriptions/subscription-calls.ts';
import { creationBody, plainEvents, sendCreation, subscriptionIdIn, urlOf } from '../ask/create.ts';
import { keepSession } from '../ask/keep-session.ts';
import { isRefused } from '../ask/refusals.ts';
import { sendRequest } from '../ask/send.ts';
import type { DiscoveredSubscription, Probe } from '../probe.ts';

export interface CreationRequest {
  channel?: string;
  events?: readonly string[];
  secret?: string;
  /** That of the options unless given. */
  site?: unknown;
  /** Further fields, by name. */
  extra?: Record<string, unknown>;
}

/** The answer to a creation with a new address. */
export async function createSubscription(
  probe: Probe,
  { channel = 'custom', events = plainEvents, secret, site, extra = {} }: CreationRequest = {},
): Promise<DiscoveredSubscription> {
  const path = nextPath(probe);
  const target = urlOf(probe, path);
  probe.secrets.add('SITEPUB_WEBHOOK_SECRET', secret);
  const body = { ...creationBody(probe, { url: target, events, channel, secret }), ...extra };
  await keepSession(probe);
  const exchange = await sendCreation(probe, body, { target, site });
  return { id: subscriptionIdIn(probe, exchange), path, exchange, channel, events };
}

/** Whether a creation is accepted; undefined where a plain one is refused as well, or no answer is about it. */
async function tryCreation(
  probe: Probe,
  request: CreationRequest,
): Promise<'accepted' | 'refused' | undefined> {
  const { exchange } = await createSubscription(probe, request);
  if (succeeded(exchange)) return 'accepted';
  if (!isRefused(exchange)) return undefined;
  return succeeded((await createSubscription(probe)).exchange) ? 'refused' : undefined;
}

/** The call that tests a subscription. */
export async function testSubscription(
  probe: Probe,
  { id }: Pick<DiscoveredSubscription, 'id'>,
  body?: unknown,
): Promise<Exchange> {
  await keepSession(probe);
  return sendRequest(probe, {
    operation: 'testSubscription',
    path: `/tenant/sites/${probe.options.siteId}/webhooks/${encodeURIComponent(String(id))}/test`,
    token: probe.session.token,
    body,
  });
}

export const unknownGap = 'subscription.unknown-fields';

/** Creates a subscription with a field that the document neither allows nor forbids, unless one has been created. */
export async function probeUnknownFields(probe: Probe): Promise<undefined> {
  if (probe.findings.has(unknownGap)) return;
  const outcome = await tryCreation(probe, { extra: { 'x-sitepub-nobodys-field': true } });
  if (outcome) noteUnknownFields(probe, outcome);
  else probe.findings.missed([unknownGap], 'a plain creation was refused as well');
}

/** A creation with unknown fields was accepted or refused. */
export function noteUnknownFields({ findings }: Probe, outcome: 'accepted' | 'refused'): void {
  const value = outcome === 'accepted' ? 'ignored' : outcome;
  findings.found(unknownGap, value, `a creation with an unknown field was ${outcome}`);
}

export const secretGap = 'subscription.request.secret';

/** A secret for a subscription, when the name of its field is known. */
export function optionalSecret(probe: Probe): { secret?: string } {
  return probe.findings.has(secretGap) ? { secret: usualSecret(probe) } : {};
}

/** Of 32 characters, which most rules for secrets allow. */
export function usualSecret({ runId, nextNumber }: Probe): string {
  return `S3cr3t${runId}${nextNumber()}`.padEnd(32, 'x');
}

/** An event that is rarely caused. */
const events = ['content.delete'];

/** Creates subscriptions with a short secret, and with one that is not ASCII. */
export async function probeSecretRule(probe: Probe): Promise<undefined> {
  const { findings } = probe;
  const gap = 'subscription.secret-rule';
  if (!findings.has(secretGap)) return findings.missed([gap], 'the name of the secret is not known');
  const short = await tryCreation(probe, { events, secret: 's3cr3t' });
  const foreign = await tryCreation(probe, { events, secret: `${usualSecret(probe)}-schlüssel-鑰匙` });
  if (short === undefined || foreign === undefined)
    return findings.missed([gap], 'creations with a plain secret were refused as well');
  const rule = short === 'refused' ? 'min-32' : foreign === 'refused' ? 'ascii' : 'any';
  const evidence = `a secret of 6 characters was ${short}, a long one that is not ASCII was ${foreign}`;
  findings.found(gap, rule, evidence);
}
