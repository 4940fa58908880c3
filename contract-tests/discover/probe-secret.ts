// The name of the signing secret in the request for a subscription: the one whose value signs the test push.
import { sign } from '@octokit/webhooks-methods';
import { type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import type { Push } from '../push-receiver/push-receiver.ts';
import { headerOf } from '../push-receiver/read-push.ts';
import { type Probe, progress } from './discovery-probe.ts';
import { findNeededName } from './find-needed-name.ts';
import { answerLeaves } from './json-leaves.ts';
import { likelyNames, namesIn } from './likely-names.ts';
import { createSubscription, type DiscoveredSubscription } from './probe-subscription.ts';
import { arrivalAt, testOnce } from './test-pushes.ts';

const gap = 'subscription.request.secret';
const answerGap = 'subscription.response.secret';

/** Says whether the name is known afterwards. */
export async function probeSecret(probe: Probe): Promise<boolean> {
  progress(probe, 'looking for the name of the signing secret');
  const { findings } = probe;
  const given = findings.value(gap);
  const names = typeof given === 'string' ? [given] : freeNames(probe);
  const values = new Map(names.map((name, index) => [name, secretOf(probe, index)]));
  const hook = await createWith(probe, values);
  const name = hook && (await nameFrom(probe, hook, values));
  if (name !== undefined && hook) {
    const leaf = answerLeaves(hook.exchange.response.json).find(({ value }) => value === values.get(name));
    findings.found(
      answerGap,
      leaf?.pointer ?? 'absent',
      leaf
        ? 'the secret stands there in the answer to a creation'
        : 'the secret does not stand in the answer to a creation',
    );
    return true;
  }
  findings.missed([gap, answerGap], `none of ${names.length} likely names was taken for the signing secret`);
  return false;
}

/** What signs the pushes of a discovery. */
export function secretOf({ runId }: Probe, number: number | string): string {
  return `discover-${runId}-${number}-s3cr3t`;
}

function freeNames({ findings }: Probe): string[] {
  const taken = ['url', 'events', 'channel'].map((part) => findings.value(`subscription.request.${part}`));
  return likelyNames.secret.filter((name) => !taken.includes(name));
}

/** Where unknown fields are refused, the names that the refusal does not call unknown are tried, then each alone. */
async function createWith(
  probe: Probe,
  values: Map<string, string>,
): Promise<DiscoveredSubscription | undefined> {
  for (const value of values.values()) probe.secrets.add('SITEPUB_WEBHOOK_SECRET', value);
  const whole = await createSubscription(probe, { extra: Object.fromEntries(values) });
  if (succeeded(whole.exchange)) return whole;
  const named = namesIn(messageOf(whole.exchange));
  const unnamed = [...values.keys()].filter((name) => !named.includes(name));
  const each = (unnamed.length > 0 && unnamed.length < values.size ? unnamed : [...values.keys()]).slice(
    0,
    20,
  );
  for (const name of each) {
    const hook = await createSubscription(probe, { extra: { [name]: values.get(name) } });
    if (!succeeded(hook.exchange)) continue;
    for (const other of [...values.keys()]) if (other !== name) values.delete(other);
    return hook;
  }
  return undefined;
}

function messageOf(exchange: Exchange): string {
  return String(envelopeOf(exchange).message ?? '');
}

async function nameFrom(
  probe: Probe,
  hook: DiscoveredSubscription,
  values: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const [only] = values.keys();
  if (probe.findings.value(gap) !== undefined) return only;
  const enter = (name: string | undefined, evidence: string) => {
    if (name !== undefined) probe.findings.found(gap, name, evidence);
    return name;
  };
  if (probe.listener) {
    await testOnce(probe, hook);
    const push = await arrivalAt(probe, hook.path);
    const signer = push && (await signerOf(push, values));
    return enter(
      signer,
      'the test push of a subscription that was created with it was signed with its value',
    );
  }
  const shown = answerLeaves(hook.exchange.response.json).map(({ value }) => value);
  const echo = [...values].find(([, value]) => shown.includes(value))?.[0];
  if (echo !== undefined)
    return enter(echo, 'the answer to a creation shows the value that was sent under it');
  if (probe.findings.value('subscription.unknown-fields') === 'refused')
    return enter(only, 'unknown fields are refused, and a creation with this one passed');
  return enter(
    await nameByType(probe, [...values.keys()]),
    'a creation with an object in its place was refused',
  );
}

async function signerOf(push: Push, values: ReadonlyMap<string, string>): Promise<string | undefined> {
  const header = headerOf(push, 'X-Webhook-Signature')?.toLowerCase();
  for (const [name, value] of values) {
    if (header === (await sign(value, push.body.toString('utf8')))) return name;
  }
  return undefined;
}

/** A field that is known and no string is refused; an unknown one is not looked at. */
async function nameByType(probe: Probe, names: readonly string[]): Promise<string | undefined> {
  const isRefused = async (some: readonly string[]) => {
    const extra = Object.fromEntries(some.map((name) => [name, { no: 'text' }]));
    return !succeeded((await createSubscription(probe, { extra })).exchange);
  };
  return (await isRefused(names)) ? findNeededName(names, isRefused) : undefined;
}
