// Which unknown fields and which signing secrets a deployment takes.
import { type Probe, reportProgress } from '../probe.ts';
import { tryCreation } from './requests.ts';

export const unknownGap = 'subscription.unknown-fields';

/** Creates a subscription with a field that the document neither allows nor forbids. */
export async function probeUnknownFields(probe: Probe): Promise<undefined> {
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
  reportProgress(probe, 'trying other secrets');
  const short = await tryCreation(probe, { events, secret: 's3cr3t' });
  const foreign = await tryCreation(probe, { events, secret: `${usualSecret(probe)}-schlüssel-鑰匙` });
  if (short === undefined || foreign === undefined)
    return findings.missed([gap], 'creations with a plain secret were refused as well');
  const rule = short === 'refused' ? 'min-32' : foreign === 'refused' ? 'ascii' : 'any';
  const evidence = `a secret of 6 characters was ${short}, a long one that is not ASCII was ${foreign}`;
  findings.found(gap, rule, evidence);
}
