// Finds the field name of the signing secret: its value signs the test push.
import { sign } from '@octokit/webhooks-methods';
import { succeeded } from '../../core/exchange.ts';
import { answerLeaves } from '../../core/json-leaves.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { headerOf } from '../../push-receiver/read-push.ts';
import { isRefused } from '../ask/refusals.ts';
import { namesInMessage } from '../names/hints.ts';
import { findNeededName, likelyNames, spellLike } from '../names/likely.ts';
import { type DiscoveredSubscription, type Probe, receiverOf } from '../probe.ts';
import {
  createSubscription,
  noteUnknownFields,
  probeUnknownFields,
  secretGap,
  unknownGap,
  usualSecret,
} from '../subscription/requests.ts';
import { dismissGreeting, type PushedSubscription, testAndWait } from './test-pushes.ts';

const answerGap = 'subscription.response.secret';
/** Most names tried one by one. */
const maxAttempts = 20;

/** Returns the subscription with its test push, if pushes arrive. */
export async function probeSecret(probe: Probe): Promise<PushedSubscription | undefined> {
  const { findings } = probe;
  const given = findings.value(secretGap);
  const names = typeof given === 'string' ? [given] : freeNames(probe);
  const values = new Map(names.map((name) => [name, usualSecret(probe)]));
  const subscription = await createWith(probe, values);
  const tested = subscription && receiverOf(probe) ? await testCreated(probe, subscription) : undefined;
  const [name, evidence = ''] = subscription
    ? await identifyName(probe, { subscription, tested, values })
    : [];
  if (subscription && name !== undefined) {
    findings.found(secretGap, name, evidence);
    const leaves = answerLeaves(subscription.exchange.response.json);
    const leaf = leaves.find(({ value }) => value === values.get(name));
    const place = `the answer to a creation ${leaf ? 'has the secret there' : 'does not have the secret'}`;
    findings.found(answerGap, leaf?.pointer ?? 'absent', place);
  }
  findings.missed(
    [secretGap, answerGap],
    `none of ${names.length} likely names is the field of the signing secret`,
  );
  return tested;
}

async function testCreated(probe: Probe, subscription: DiscoveredSubscription): Promise<PushedSubscription> {
  await dismissGreeting(probe, subscription.path);
  return testAndWait(probe, subscription);
}

function freeNames({ findings }: Probe): string[] {
  const taken = ['url', 'events', 'channel'].map((part) => findings.value(`subscription.request.${part}`));
  return spellLike(likelyNames.secret, String(taken[0])).filter((name) => !taken.includes(name));
}

/** Rarely caused, and different from a plain subscription. */
const events = ['publish.failed', 'content.delete'];

/** Sends all names at once. If the deployment refuses unknown fields, sends each name that the refusal does not mention separately. */
async function createWith(
  probe: Probe,
  values: Map<string, string>,
): Promise<DiscoveredSubscription | undefined> {
  for (const value of values.values()) probe.secrets.add('SITEPUB_WEBHOOK_SECRET', value);
  const whole = await createSubscription(probe, { events, extra: Object.fromEntries(values) });
  if (succeeded(whole.exchange)) {
    if (values.size > 1) noteUnknownFields(probe, 'accepted');
    return whole;
  }
  await probeUnknownFields(probe);
  const unknown = namesInMessage(whole.exchange);
  const others = [...values.keys()].filter((name) => !unknown.includes(name));
  const candidates = others.length > 0 ? others : [...values.keys()];
  for (const name of candidates.slice(0, maxAttempts)) {
    const subscription = await createSubscription(probe, { events, extra: { [name]: values.get(name) } });
    if (!succeeded(subscription.exchange)) continue;
    for (const other of [...values.keys()]) if (other !== name) values.delete(other);
    return subscription;
  }
  return undefined;
}

interface Created {
  subscription: DiscoveredSubscription;
  tested: PushedSubscription | undefined;
  values: ReadonlyMap<string, string>;
}

async function identifyName(
  probe: Probe,
  { subscription, tested, values }: Created,
): Promise<[name: string | undefined, evidence: string]> {
  const [only] = values.keys();
  if (probe.findings.has(secretGap)) return [only, 'given'];
  const signed = 'its value signed the test push of a subscription';
  if (tested) return [await signerOf(tested.push, values), signed];
  const shown = answerLeaves(subscription.exchange.response.json).map(({ value }) => value);
  const echo = [...values].find(([, value]) => shown.includes(value))?.[0];
  if (echo !== undefined) return [echo, 'the answer to a creation has the value that was sent in it'];
  if (probe.findings.value(unknownGap) === 'refused')
    return [only, 'the deployment refuses unknown fields, and a creation with this one passed'];
  const name = await nameByType(probe, [...values.keys()]);
  return [name, 'the deployment refused an object in this field'];
}

async function signerOf(push: Push, values: ReadonlyMap<string, string>): Promise<string | undefined> {
  const header = headerOf(push, 'X-Webhook-Signature')?.toLowerCase();
  for (const [name, value] of values) {
    if (header === (await sign(value, push.body.toString('utf8')))) return name;
  }
  return undefined;
}

/** A deployment refuses a wrong type only in a field that it knows. */
async function nameByType(probe: Probe, names: readonly string[]): Promise<string | undefined> {
  const areRefused = async (some: readonly string[]) => {
    const extra = Object.fromEntries(some.map((name) => [name, { no: 'text' }]));
    return isRefused((await createSubscription(probe, { extra })).exchange);
  };
  return (await areRefused(names)) ? findNeededName(names, areRefused) : undefined;
}
