import { isDeepStrictEqual } from 'node:util';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { answerLeaves, type JsonLeaf, listsIn } from '../../core/json-leaves.ts';
import { isJsonNumber, isSameId, writeJson } from '../../core/parse-json.ts';
import { unassignedIdLike } from '../../subscriptions/nobodys-ids.ts';
import { exampleUrl } from '../../subscriptions/subscription-calls.ts';
import { sendCreation, subscriptionIdIn, urlOf } from '../ask/create.ts';
import {
  areSameRefusals,
  explainUnexpectedAnswer,
  hasEnvelope,
  isRefused,
  noteRefusal,
} from '../ask/refusals.ts';
import { untilAccepted } from '../ask/send.ts';
import { fields, type Names, type Sent, sendNames } from '../names/follow-refusals.ts';
import { searchNames } from '../names/search.ts';
import { type DiscoveredSubscription, type Probe, receiverOf, type TestedSubscription } from '../probe.ts';
import { createSubscription, testSubscription } from './requests.ts';

export const fieldGaps = fields.map((field) => `subscription.request.${field}`);

interface Found {
  names: Names;
  /** The creation that passed with these names. */
  created?: Sent | undefined;
}

/** Finds the names of the three required fields; undefined if it does not. */
export async function probeCreation(probe: Probe): Promise<Found | undefined> {
  const { findings } = probe;
  const empty = await sendCreation(probe, {});
  // The request already waited for the rate limit.
  if (!hasEnvelope(empty) || empty.response.status === 429) {
    const { message } = explainUnexpectedAnswer(probe, empty, 'the creation of a subscription');
    findings.missed(fieldGaps, message);
    return undefined;
  }
  noteRefusal(probe, 'invalid-request', empty);
  const found = (await useGivenNames(probe)) ?? (await findNames(probe, empty));
  if (!found) return undefined;
  const evidence = `a creation with the fields ${Object.values(found.names).join(', ')} passed`;
  for (const field of fields) findings.found(`subscription.request.${field}`, found.names[field], evidence);
  return found;
}

const atReceiver = (probe: Probe) => ({ probe, urlOf: (path: string) => urlOf(probe, path) });
/** A deployment may accept only https or public hosts, and refuse the receiver. */
const atNobody = (probe: Probe) => ({ probe, urlOf: exampleUrl });

/** Tries given names only to see if the deployment accepts the receiver's address. */
async function useGivenNames(probe: Probe): Promise<Found | undefined> {
  const [url, events, channel] = fieldGaps.map((gap) => probe.findings.value(gap));
  if (typeof url !== 'string' || typeof events !== 'string' || typeof channel !== 'string') return undefined;
  const names = { url, events, channel };
  const created = await sendNames(atReceiver(probe), names);
  if (succeeded(created.exchange)) return { names, created };
  if (!receiverOf(probe) || !isRefused(created.exchange)) return { names };
  const elsewhere = await sendNames(atNobody(probe), names);
  if (!succeeded(elsewhere.exchange)) return { names };
  giveUpReceiver(probe, created.exchange);
  return { names, created: elsewhere };
}

async function findNames(probe: Probe, empty: Exchange): Promise<Found | undefined> {
  const { names, created, refusal = empty } = await searchNames(atReceiver(probe), empty);
  if (names) return { names, created };
  if (receiverOf(probe) && isRefused(refusal)) {
    const elsewhere = await searchNames(atNobody(probe), empty);
    if (elsewhere.names) giveUpReceiver(probe, refusal);
    if (elsewhere.names) return { names: elsewhere.names, created: elsewhere.created };
  }
  const reason = `no creation with likely names passed; last answer: ${describeAnswer(refusal)}; state them in a profile if you know them`;
  probe.findings.missed(fieldGaps, reason);
  return undefined;
}

function giveUpReceiver({ pushes }: Probe, refusal: Exchange): void {
  pushes.unreached = `the deployment refuses the receiver's URL; pass one that it accepts with --receiver-url (a creation with ${pushes.receiver?.urlOf('/…')} got ${describeAnswer(refusal)}; one with https://hooks.example.com/… passed)`;
}

export const answerGaps = ['id', 'url', 'events', 'channel'].map((name) => `subscription.response.${name}`);

/** Reads the answer to a plain creation. Undefined if the subscription cannot be tested. */
export async function probeSubscription(
  probe: Probe,
  plain: DiscoveredSubscription,
): Promise<TestedSubscription | undefined> {
  const { status } = plain.exchange.response;
  probe.findings.found('subscription.status', status, 'the status of the answer to a creation');
  findEchoes(probe, plain);
  const answer = await findId(probe, plain);
  return answer && { answer, subscription: { ...plain, id: subscriptionIdIn(probe, plain.exchange) } };
}

function findEchoes(probe: Probe, { exchange, path, channel, events }: DiscoveredSubscription): void {
  const { findings } = probe;
  const leaves = answerLeaves(exchange.response.json);
  const target = urlOf(probe, path);
  const channels = leaves.filter(({ value }) => value === channel);
  const echoes = {
    url: leaves.find(({ value }) => value === target),
    events: listsIn(exchange.response.json).find(({ value }) => isSameSet(value, events)),
    channel: channels.find(({ name }) => /channel|type|kind|platform|format/i.test(name)) ?? channels[0],
  };
  for (const [field, leaf] of Object.entries(echoes)) {
    const evidence = `the answer to a creation ${leaf ? 'has the sent value there' : 'does not have the sent value'}`;
    findings.found(`subscription.response.${field}`, leaf?.pointer ?? 'absent', evidence);
  }
}

function isSameSet(value: unknown, events: readonly string[]): boolean {
  return Array.isArray(value) && isDeepStrictEqual([...value].sort(), [...events].sort());
}

/**
 * The id is the value that the test path accepts. A value that two creations share is not an id and may belong to another subscription.
 * Returns the answer to the test.
 */
async function findId(probe: Probe, { exchange }: DiscoveredSubscription): Promise<Exchange | undefined> {
  const { findings, created, seen } = probe;
  const tried: string[] = [];
  const candidates = identifiers(exchange, probe);
  const other = await anotherCreation(probe, exchange);
  const others = new Map(
    answerLeaves(other?.response.json).map((leaf) => [leaf.pointer, leaf.value] as const),
  );
  for (const { pointer, value } of candidates) {
    if (isSameId(others.get(pointer), value)) continue;
    const unknown = await testSubscription(probe, { id: unassignedIdLike(value) });
    const tested = await untilAccepted(probe, () => testSubscription(probe, { id: value }));
    tried.push(pointer);
    if (!succeeded(tested) && areSameRefusals(tested, unknown)) continue;
    if (!succeeded(unknown)) seen.refusals.set('unknown-subscription', unknown);
    const evidence = `the test path accepted the value at ${pointer} of the answer to a creation`;
    findings.found('subscription.response.id', pointer, evidence);
    created.shownId = pointer;
    findings.found('subscription.id-type', typeOf(value), `the identifier was ${writeJson(value)}`);
    for (const { settle } of created.unidentified.splice(0)) settle();
    return tested;
  }
  const reason =
    tried.length === 0
      ? 'the answer to a creation contains no possible identifier'
      : `the test path accepted none of the values at ${tried.join(', ')}`;
  findings.missed(['subscription.response.id', 'subscription.id-type'], reason);
  return undefined;
}

async function anotherCreation(probe: Probe, exchange: Exchange): Promise<Exchange | undefined> {
  const { unidentified } = probe.created;
  const earlier = unidentified.find((one) => one.exchange !== exchange && succeeded(one.exchange));
  const other = earlier?.exchange ?? (await createSubscription(probe)).exchange;
  return succeeded(other) ? other : undefined;
}

function identifiers({ response }: Exchange, { findings, options }: Probe): JsonLeaf[] {
  const others = ['url', 'events', 'channel'].map((part) => findings.value(`subscription.response.${part}`));
  return answerLeaves(response.json)
    .filter(({ pointer }) => !others.some((other) => pointer === other || pointer.startsWith(`${other}/`)))
    .filter(
      ({ value }) =>
        Number.isInteger(value) ||
        typeof value === 'bigint' ||
        (typeof value === 'string' && /^[^\s\p{C}]{1,200}$/u.test(value)),
    )
    .filter(({ name, value }) => !(String(value) === String(options.siteId) && /site/i.test(name)))
    .sort((one, other) => rank(one) - rank(other));
}

function rank({ name }: JsonLeaf): number {
  if (/^(id|uuid)$/i.test(name)) return 0;
  if (/site|tenant|user|trace|creat|updat|_at$|At$/i.test(name)) return 3;
  return /(_id|Id|ID|uuid)$/.test(name) ? 1 : 2;
}

function typeOf(id: unknown): string {
  if (isJsonNumber(id)) return 'integer';
  return /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(String(id)) ? 'uuid' : 'string';
}
