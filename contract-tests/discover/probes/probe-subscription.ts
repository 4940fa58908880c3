// Subscriptions with the names that were found, and what the answer to their creation shows.
import { isDeepStrictEqual } from 'node:util';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { answerLeaves, type JsonLeaf, listsIn } from '../../core/json-leaves.ts';
import { isJsonNumber, isSameId, writeJson } from '../../core/parse-json.ts';
import { isPathPart } from '../../core/read-values.ts';
import { unassignedIdLike } from '../../subscriptions/nobodys-ids.ts';
import { callOperation, isGiven, isOwn } from '../call-operations.ts';
import {
  type DiscoveredSubscription,
  nextPath,
  type Probe,
  reportProgress,
  urlOf,
} from '../discovery-probe.ts';
import type { Sent } from '../names/send-names.ts';
import { areSameRefusals, isRefused } from '../refusals.ts';
import { creationBody, plainEvents, sendCreation } from '../send-creation.ts';
import { sendRequest, untilAccepted } from '../send-request.ts';
import { keepSession } from './probe-expiry.ts';

export interface CreationRequest {
  channel?: string;
  events?: readonly string[];
  secret?: string;
  /** The path of its address; a new one unless given. */
  path?: string;
  /** Further fields, by name. */
  extra?: Record<string, unknown>;
}

/** The answer to a creation with the names that were found. */
export async function createSubscription(
  probe: Probe,
  request: CreationRequest = {},
): Promise<DiscoveredSubscription> {
  const { channel = 'custom', events = plainEvents, secret, extra = {}, path = nextPath(probe) } = request;
  const target = urlOf(probe, path);
  probe.secrets.add('SITEPUB_WEBHOOK_SECRET', secret);
  const body = { ...creationBody(probe, { url: target, events, channel, secret }), ...extra };
  await keepSession(probe);
  const first = await sendCreation(probe, body, { target });
  // A site may have as many subscriptions as it can.
  const isAgain = !succeeded(first) && (await makeRoom(probe));
  const exchange = isAgain ? await sendCreation(probe, body, { target }) : first;
  const id = subscriptionIdIn(probe, exchange);
  if (id !== undefined) probe.targets.set(String(id), path);
  return { id, path, exchange, channel, events };
}

/** Subscriptions that a step may still use. */
const inUse = 4;

/** Deletes subscriptions of earlier steps, where that is possible. Returns whether any is gone. */
export async function makeRoom(probe: Probe): Promise<boolean> {
  if (!isGiven(probe, 'deleteSubscription')) return false;
  const mine = probe.resources
    .remaining()
    .filter(({ what, id }) => what === 'subscription' && id !== undefined);
  let isRoom = false;
  for (const one of mine.slice(0, -inUse)) {
    if (!(await isOwn(probe, one))) continue;
    const { id, site } = one;
    const { exchange } = await callOperation(probe, 'deleteSubscription', {
      siteID: site,
      subscriptionID: id,
    });
    if (!succeeded(exchange)) continue;
    probe.resources.markDeleted('subscription', id, site);
    probe.spares = probe.spares.filter((spare) => !isSameId(spare.id, id));
    isRoom = true;
  }
  return isRoom;
}

/** Whether a creation is accepted; undefined where a plain one is refused as well, or no answer is about it. What is created serves later steps. */
export async function tryCreation(
  probe: Probe,
  request: CreationRequest,
): Promise<'accepted' | 'refused' | undefined> {
  const tried = await createSubscription(probe, request);
  if (succeeded(tried.exchange)) probe.spares.push(tried);
  if (succeeded(tried.exchange)) return 'accepted';
  if (!isRefused(tried.exchange)) return undefined;
  const plain = await createSubscription(probe);
  if (!succeeded(plain.exchange)) return undefined;
  probe.spares.push(plain);
  return 'refused';
}

/** The identifier in the answer to a creation. */
export function subscriptionIdIn({ findings, shownId }: Probe, { response }: Exchange): unknown {
  const pointer = shownId ?? findings.value('subscription.response.id');
  const id = answerLeaves(response.json).find((leaf) => leaf.pointer === pointer)?.value;
  return isPathPart(id) ? id : undefined;
}

/** The call that tests a subscription. */
export async function testSubscription(
  probe: Probe,
  id: unknown,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Exchange> {
  const path = `/tenant/sites/${probe.options.siteId}/webhooks/${encodeURIComponent(String(id))}/test`;
  await keepSession(probe);
  const target = probe.targets.get(String(id));
  const isFirst = target !== undefined && !probe.testedAt.has(target);
  if (isFirst) probe.testedAt.set(target, Date.now());
  const answer = await sendRequest(probe, {
    operation: 'testSubscription',
    path,
    token: probe.token,
    body,
    headers,
  });
  // Nothing comes of a test that is refused.
  if (isFirst && !succeeded(answer)) probe.testedAt.delete(target);
  return answer;
}

const answerGaps = ['id', 'url', 'events', 'channel'].map((name) => `subscription.response.${name}`);

/** Reads the answer to a plain creation, the one given or a new one. Returns whether a subscription can be tested, which the further steps need. */
export async function probeSubscription(probe: Probe, created: Sent | undefined): Promise<boolean> {
  reportProgress(probe, 'reading the answer to the creation of a subscription');
  const { findings } = probe;
  const plain: DiscoveredSubscription = created
    ? { ...created, id: undefined, channel: 'custom', events: plainEvents }
    : await createSubscription(probe);
  if (!succeeded(plain.exchange)) {
    findings.missed(answerGaps, `a creation was refused (${describeAnswer(plain.exchange)})`);
    return false;
  }
  const { status } = plain.exchange.response;
  findings.found('subscription.status', status, 'the status of the answer to a creation');
  findEchoes(probe, plain);
  if (!(await findId(probe, plain))) return false;
  probe.spares.push({ ...plain, id: subscriptionIdIn(probe, plain.exchange) });
  return true;
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
    const evidence = `the answer to a creation has what was sent ${leaf ? 'there' : 'nowhere'}`;
    findings.found(`subscription.response.${field}`, leaf?.pointer ?? 'absent', evidence);
  }
}

function isSameSet(value: unknown, events: readonly string[]): boolean {
  return Array.isArray(value) && isDeepStrictEqual([...value].sort(), [...events].sort());
}

/**
 * The identifier is the value that the test path accepts; an unknown one shows how a wrong one is refused. What is the same in the answers to two creations
 * is no identifier, and may be that of somebody else's subscription.
 */
async function findId(probe: Probe, { exchange }: DiscoveredSubscription): Promise<boolean> {
  const { findings, refusals } = probe;
  const tried: string[] = [];
  const candidates = identifiers(exchange, probe);
  const isPlain = candidates[0] !== undefined && rank(candidates[0]) === 0;
  const other = isPlain ? undefined : await anotherCreation(probe, exchange);
  const others = new Map(
    answerLeaves(other?.response.json).map((leaf) => [leaf.pointer, leaf.value] as const),
  );
  for (const { pointer, value } of candidates) {
    if (isSameId(others.get(pointer), value)) continue;
    const unknown = await testSubscription(probe, unassignedIdLike(value));
    const tested = await untilAccepted(probe, () => testSubscription(probe, value));
    tried.push(pointer);
    if (!succeeded(tested) && areSameRefusals(tested, unknown)) continue;
    if (!succeeded(unknown)) refusals.set('unknown-subscription', unknown);
    const evidence = `the test path accepted the value at ${pointer} of the answer to a creation`;
    findings.found('subscription.response.id', pointer, evidence);
    probe.shownId = pointer;
    findings.found('subscription.id-type', typeOf(value), `the identifier was ${writeJson(value)}`);
    for (const { settle } of probe.unidentified.splice(0)) settle();
    return true;
  }
  const reason =
    tried.length === 0
      ? 'the answer to a creation holds nothing that could be an identifier'
      : `the test path accepted none of the values at ${tried.join(', ')}`;
  findings.missed(['subscription.response.id', 'subscription.id-type'], reason);
  return false;
}

/** Another creation that was answered with success: an earlier one, or a new one. */
async function anotherCreation(probe: Probe, exchange: Exchange): Promise<Exchange | undefined> {
  const earlier = probe.unidentified.find((one) => one.exchange !== exchange && succeeded(one.exchange));
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

/** Creates one with a field that the document neither allows nor forbids. */
export async function probeUnknownFields(probe: Probe): Promise<undefined> {
  const unknown = await tryCreation(probe, { extra: { 'x-sitepub-nobodys-field': true } });
  if (unknown === undefined)
    return probe.findings.missed([unknownGap], 'a plain creation was refused as well');
  noteUnknownFields(probe, unknown);
}

export const unknownGap = 'subscription.unknown-fields';

/** A creation with unknown fields was accepted or refused. */
export function noteUnknownFields({ findings }: Probe, outcome: 'accepted' | 'refused'): void {
  const value = outcome === 'accepted' ? 'ignored' : outcome;
  findings.found(unknownGap, value, `a creation with an unknown field was ${outcome}`);
}
