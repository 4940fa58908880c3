// The name of the signing secret in the request for a subscription: the field whose value signs the test push.
import { sign } from '@octokit/webhooks-methods';
import { succeeded } from '../../core/exchange.ts';
import { answerLeaves } from '../../core/json-leaves.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { headerOf } from '../../push-receiver/read-push.ts';
import { type DiscoveredSubscription, type Probe, reportProgress } from '../discovery-probe.ts';
import { findNeededName } from '../names/find-needed-name.ts';
import { namesInMessage } from '../names/hinted-names.ts';
import { likelyNames, spellLike } from '../names/likely-names.ts';
import { dismissGreeting, type TestedSubscription, testAndWait } from '../pushes/test-pushes.ts';
import { isRefused } from '../refusals.ts';
import {
  createSubscription,
  noteUnknownFields,
  probeUnknownFields,
  unknownGap,
} from './probe-subscription.ts';

const gap = 'subscription.request.secret';
const answerGap = 'subscription.response.secret';
/** The most names that are tried one after the other. */
const maxAttempts = 20;

/** Finds the name, and the place of the secret in the answer. Returns the subscription that shows it, with its test push where pushes arrive. */
export async function probeSecret(probe: Probe): Promise<TestedSubscription | undefined> {
  reportProgress(probe, 'looking for the name of the signing secret');
  const { findings } = probe;
  const given = findings.value(gap);
  const names = typeof given === 'string' ? [given] : freeNames(probe);
  const values = new Map(names.map((name, index) => [name, usualSecret(probe, index)]));
  const subscription = await createWith(probe, values);
  const tested = subscription && probe.listener ? await testCreated(probe, subscription) : undefined;
  const [name, evidence = ''] = subscription
    ? await identifyName(probe, { subscription, tested, values })
    : [];
  if (subscription && name !== undefined) {
    findings.found(gap, name, evidence);
    const leaves = answerLeaves(subscription.exchange.response.json);
    const leaf = leaves.find(({ value }) => value === values.get(name));
    const place = `the answer to a creation has the secret ${leaf ? 'there' : 'nowhere'}`;
    findings.found(answerGap, leaf?.pointer ?? 'absent', place);
  }
  findings.missed([gap, answerGap], `none of ${names.length} likely names is that of the signing secret`);
  return tested;
}

async function testCreated(probe: Probe, subscription: DiscoveredSubscription): Promise<TestedSubscription> {
  await dismissGreeting(probe, subscription.path);
  return testAndWait(probe, subscription);
}

/** A secret for a subscription, when the name of its field is known. */
export function optionalSecret(probe: Probe, number: string): { secret?: string } {
  return probe.findings.has(gap) ? { secret: usualSecret(probe, number) } : {};
}

/** Of 32 characters, which most rules for secrets allow. */
export function usualSecret({ runId }: Probe, number: number | string): string {
  return `S3cr3t${runId}${String(number).replace(/\W/g, '')}`.padEnd(32, 'x').slice(-32);
}

function freeNames({ findings }: Probe): string[] {
  const taken = ['url', 'events', 'channel'].map((part) => findings.value(`subscription.request.${part}`));
  return spellLike(likelyNames.secret, String(taken[0])).filter((name) => !taken.includes(name));
}

/** Sends all names at once. Where unknown fields are refused, each name that the refusal does not mention is sent alone. */
async function createWith(
  probe: Probe,
  values: Map<string, string>,
): Promise<DiscoveredSubscription | undefined> {
  for (const value of values.values()) probe.secrets.add('SITEPUB_WEBHOOK_SECRET', value);
  const whole = await createSubscription(probe, { extra: Object.fromEntries(values) });
  if (succeeded(whole.exchange)) {
    if (values.size > 1) noteUnknownFields(probe, 'accepted');
    return whole;
  }
  if (!probe.findings.has(unknownGap)) await probeUnknownFields(probe);
  const unknown = namesInMessage(whole.exchange);
  const others = [...values.keys()].filter((name) => !unknown.includes(name));
  const candidates = others.length > 0 ? others : [...values.keys()];
  for (const name of candidates.slice(0, maxAttempts)) {
    const subscription = await createSubscription(probe, { extra: { [name]: values.get(name) } });
    if (!succeeded(subscription.exchange)) continue;
    for (const other of [...values.keys()]) if (other !== name) values.delete(other);
    return subscription;
  }
  return undefined;
}

interface Created {
  subscription: DiscoveredSubscription;
  tested: TestedSubscription | undefined;
  values: ReadonlyMap<string, string>;
}

/** The name, and by what it was identified: the signature of a push, the answer, or the refusal of another type. */
async function identifyName(
  probe: Probe,
  { subscription, tested, values }: Created,
): Promise<[name: string | undefined, evidence: string]> {
  const [only] = values.keys();
  if (probe.findings.has(gap)) return [only, 'given'];
  const signed = 'the test push of a subscription that was created with it was signed with its value';
  if (tested) return [await signerOf(tested.push, values), signed];
  const shown = answerLeaves(subscription.exchange.response.json).map(({ value }) => value);
  const echo = [...values].find(([, value]) => shown.includes(value))?.[0];
  if (echo !== undefined) return [echo, 'the answer to a creation shows the value that was sent under it'];
  if (probe.findings.value(unknownGap) === 'refused')
    return [only, 'unknown fields are refused, and a creation with this one passed'];
  const name = await nameByType(probe, [...values.keys()]);
  return [name, 'a creation with an object in its place was refused'];
}

async function signerOf(push: Push, values: ReadonlyMap<string, string>): Promise<string | undefined> {
  const header = headerOf(push, 'X-Webhook-Signature')?.toLowerCase();
  for (const [name, value] of values) {
    if (header === (await sign(value, push.body.toString('utf8')))) return name;
  }
  return undefined;
}

/** A known field that is not a string is refused; an unknown one is ignored. */
async function nameByType(probe: Probe, names: readonly string[]): Promise<string | undefined> {
  const areRefused = async (some: readonly string[]) => {
    const extra = Object.fromEntries(some.map((name) => [name, { no: 'text' }]));
    return isRefused((await createSubscription(probe, { extra })).exchange);
  };
  return (await areRefused(names)) ? findNeededName(names, areRefused) : undefined;
}
