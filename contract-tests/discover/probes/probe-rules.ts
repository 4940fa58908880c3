// Which signing secrets a deployment takes.
import { type Probe, reportProgress } from '../discovery-probe.ts';
import { usualSecret } from './probe-secret.ts';
import { tryCreation } from './probe-subscription.ts';

/** An event that is hardly ever caused: nobody listens at these addresses. */
const events = ['publish.failed'];

/** Creates subscriptions with a short secret, and with one that is not ASCII. */
export async function probeSecretRule(probe: Probe): Promise<undefined> {
  const { findings } = probe;
  const gap = 'subscription.secret-rule';
  if (!findings.has('subscription.request.secret'))
    return findings.missed([gap], 'the name of the secret is not known');
  reportProgress(probe, 'trying other secrets');
  const short = await tryCreation(probe, { events, secret: 's3cr3t' });
  const foreign = await tryCreation(probe, {
    events,
    secret: `${usualSecret(probe, 'rule')}-schlüssel-鑰匙`,
  });
  if (short === undefined || foreign === undefined)
    return findings.missed([gap], 'creations with a plain secret were refused as well');
  const rule = short === 'refused' ? 'min-32' : foreign === 'refused' ? 'ascii' : 'any';
  const evidence = `a secret of 6 characters was ${short}, a long one that is not ASCII was ${foreign}`;
  findings.found(gap, rule, evidence);
}
