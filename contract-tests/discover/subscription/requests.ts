// Creates and tests subscriptions with the discovered field names; finds the rules for unknown fields and secrets.
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { nextPath } from '../../subscriptions/subscription-calls.ts';
import { creationBody, plainEvents, sendCreation, subscriptionIdIn, urlOf } from '../ask/create.ts';
import { ensureSession } from '../ask/log-in.ts';
import { isRefused } from '../ask/refusals.ts';
import { sendRequest } from '../ask/send.ts';
import type { DiscoveredSubscription, Probe } from '../probe.ts';

export interface CreationRequest {
  channel?: string;
  events?: readonly string[];
  secret?: string;
  /** Default: the site of the options. */
  site?: unknown;
  /** More fields, by name. */
  extra?: Record<string, unknown>;
}

export async function createSubscription(
  probe: Probe,
  { channel = 'custom', events = plainEvents, secret, site, extra = {} }: CreationRequest = {},
): Promise<DiscoveredSubscription> {
  const path = nextPath(probe);
  const target = urlOf(probe, path);
  probe.secrets.add('SITEPUB_WEBHOOK_SECRET', secret);
  const body = { ...creationBody(probe, { url: target, events, channel, secret }), ...extra };
  await ensureSession(probe);
  const exchange = await sendCreation(probe, body, { target, site });
  return { id: subscriptionIdIn(probe, exchange), path, exchange, channel, events };
}

/** Undefined if the deployment also refuses a plain creation, or gives no usable answer. */
async function tryCreation(
  probe: Probe,
  request: CreationRequest,
): Promise<'accepted' | 'refused' | undefined> {
  const { exchange } = await createSubscription(probe, request);
  if (succeeded(exchange)) return 'accepted';
  if (!isRefused(exchange)) return undefined;
  return succeeded((await createSubscription(probe)).exchange) ? 'refused' : undefined;
}

export async function testSubscription(
  probe: Probe,
  { id }: Pick<DiscoveredSubscription, 'id'>,
  body?: unknown,
): Promise<Exchange> {
  await ensureSession(probe);
  return sendRequest(probe, {
    operation: 'testSubscription',
    path: `/tenant/sites/${probe.options.siteId}/webhooks/${encodeURIComponent(String(id))}/test`,
    token: probe.session.token,
    body,
  });
}

export const unknownGap = 'subscription.unknown-fields';

/** Sends a field that the document neither allows nor forbids. */
export async function probeUnknownFields(probe: Probe): Promise<undefined> {
  if (probe.findings.has(unknownGap)) return;
  const outcome = await tryCreation(probe, { extra: { 'x-sitepub-nobodys-field': true } });
  if (outcome) noteUnknownFields(probe, outcome);
  else probe.findings.missed([unknownGap], 'the deployment also refused a plain creation');
}

export function noteUnknownFields({ findings }: Probe, outcome: 'accepted' | 'refused'): void {
  const value = outcome === 'accepted' ? 'ignored' : outcome;
  findings.found(unknownGap, value, `the deployment ${outcome} a creation with an unknown field`);
}

export const secretGap = 'subscription.request.secret';

export function optionalSecret(probe: Probe): { secret?: string } {
  return probe.findings.has(secretGap) ? { secret: usualSecret(probe) } : {};
}

/** 32 characters, which most rules for secrets allow. */
export function usualSecret({ runId, nextNumber }: Probe): string {
  return `S3cr3t${runId}${nextNumber()}`.padEnd(32, 'x');
}

const events = ['content.delete'];

/** Tries a short secret and a non-ASCII one. */
export async function probeSecretRule(probe: Probe): Promise<undefined> {
  const { findings } = probe;
  const gap = 'subscription.secret-rule';
  if (!findings.has(secretGap)) return findings.missed([gap], 'the field name of the secret is unknown');
  const short = await tryCreation(probe, { events, secret: 's3cr3t' });
  const foreign = await tryCreation(probe, { events, secret: `${usualSecret(probe)}-schlüssel-鑰匙` });
  if (short === undefined || foreign === undefined)
    return findings.missed([gap], 'the deployment also refused a plain creation');
  const rule = short === 'refused' ? 'min-32' : foreign === 'refused' ? 'ascii' : 'any';
  const evidence = `the deployment ${short} a secret of 6 characters and ${foreign} a long non-ASCII secret`;
  findings.found(gap, rule, evidence);
}
