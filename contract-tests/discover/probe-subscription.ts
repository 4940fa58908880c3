// Subscriptions with the names that were found, and what the answer to their creation shows.
import { isDeepStrictEqual } from 'node:util';
import { describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import { unassignedIdLike } from '../subscriptions/subscription-calls.ts';
import { areAlike, ask, nextPath, type Probe, progress, urlOf } from './discovery-probe.ts';
import { answerLeaves, type JsonLeaf, listsIn } from './json-leaves.ts';
import { plainEvents, sendBody } from './probe-creation.ts';

export interface DiscoveredSubscription {
  id: unknown;
  path: string;
  exchange: Exchange;
  channel: string;
  events: readonly string[];
}

export interface SubscriptionRequest {
  channel?: string;
  events?: readonly string[];
  secret?: string;
  /** At another address than that of a path of its own. */
  path?: string;
  /** Fields besides, by name. */
  extra?: Record<string, unknown>;
}

/** The answer to a creation with the names that were found. */
export async function createSubscription(
  probe: Probe,
  wish: SubscriptionRequest = {},
): Promise<DiscoveredSubscription> {
  const { channel = 'custom', events = plainEvents, secret, extra = {}, path = nextPath(probe) } = wish;
  const { findings } = probe;
  const name = (part: string) => String(findings.value(`subscription.request.${part}`));
  const target = urlOf(probe, path);
  probe.secrets.add('SITEPUB_WEBHOOK_SECRET', secret);
  const body = {
    [name('url')]: target,
    [name('events')]: events,
    [name('channel')]: channel,
    ...(secret !== undefined && { [name('secret')]: secret }),
    ...extra,
  };
  const exchange = await sendBody(probe, body, { target });
  return { id: idIn(probe, exchange), path, exchange, channel, events };
}

function idIn({ findings }: Probe, { response }: Exchange): unknown {
  const pointer = findings.value('subscription.response.id');
  return answerLeaves(response.json).find((leaf) => leaf.pointer === pointer)?.value;
}

/** The call that tests a subscription. */
export function testSubscription(probe: Probe, id: unknown, body?: unknown): Promise<Exchange> {
  const path = `/tenant/sites/${probe.options.siteId}/webhooks/${encodeURIComponent(String(id))}/test`;
  return ask(probe, { operation: 'testSubscription', path, token: probe.token, body });
}

const answerGaps = ['id', 'url', 'events', 'channel'].map((name) => `subscription.response.${name}`);

/** Reads the answer to a plain creation. Says whether a subscription can be tested, so that all the rest can be. */
export async function probeSubscription(probe: Probe): Promise<boolean> {
  progress(probe, 'reading the answer to the creation of a subscription');
  const { findings } = probe;
  const plain = await createSubscription(probe);
  if (!succeeded(plain.exchange)) {
    findings.missed(answerGaps, `a creation was refused (${describeAnswer(plain.exchange)})`);
    return false;
  }
  findings.found(
    'subscription.status',
    plain.exchange.response.status,
    'the status of the answer to a creation',
  );
  findEchoes(probe, plain);
  if (!(await findId(probe, plain))) return false;
  await probeFreedom(probe);
  return true;
}

function findEchoes(probe: Probe, { exchange, path, channel, events }: DiscoveredSubscription): void {
  const { findings } = probe;
  const leaves = answerLeaves(exchange.response.json);
  const show = (part: string, leaf: JsonLeaf | undefined) => {
    const evidence = leaf
      ? `what was sent stands there in the answer to a creation`
      : 'what was sent does not stand in the answer to a creation';
    findings.found(`subscription.response.${part}`, leaf?.pointer ?? 'absent', evidence);
  };
  const target = urlOf(probe, path);
  show(
    'url',
    leaves.find(({ value }) => value === target),
  );
  show(
    'events',
    listsIn(exchange.response.json).find(({ value }) => isSameSet(value, events)),
  );
  const alike = leaves.filter(({ value }) => value === channel);
  show('channel', alike.find(({ name }) => /channel|type|kind|platform|format/i.test(name)) ?? alike[0]);
}

function isSameSet(value: unknown, events: readonly string[]): boolean {
  return Array.isArray(value) && isDeepStrictEqual([...value].sort(), [...events].sort());
}

/** The identifier is what the test path takes; that of nobody shows how another one is refused. */
async function findId(probe: Probe, { exchange }: DiscoveredSubscription): Promise<boolean> {
  const { findings, refusals } = probe;
  const tried: string[] = [];
  for (const { pointer, value } of identifiers(exchange, probe)) {
    const unknown = await testSubscription(probe, unassignedIdLike(value));
    const tested = await testSubscription(probe, value);
    tried.push(pointer);
    if (!succeeded(tested) && areAlike(tested, unknown)) continue;
    if (!succeeded(unknown)) refusals.set('unknown-subscription', unknown);
    findings.found(
      'subscription.response.id',
      pointer,
      `the test path took what stood at ${pointer} in the answer to a creation`,
    );
    findings.found('subscription.id-type', typeOf(value), `the identifier was ${JSON.stringify(value)}`);
    return true;
  }
  const reason =
    tried.length === 0
      ? 'the answer to a creation holds nothing that could be an identifier'
      : `the test path took nothing of what stood at ${tried.join(', ')}`;
  findings.missed(['subscription.response.id', 'subscription.id-type'], reason);
  return false;
}

function identifiers({ response }: Exchange, { findings, options }: Probe): JsonLeaf[] {
  const others = ['url', 'events', 'channel'].map((part) => findings.value(`subscription.response.${part}`));
  return answerLeaves(response.json)
    .filter(({ pointer }) => !others.some((other) => pointer === other || pointer.startsWith(`${other}/`)))
    .filter(
      ({ value }) => Number.isInteger(value) || (typeof value === 'string' && /^[\w.:-]{1,64}$/.test(value)),
    )
    .filter(({ name, value }) => !(value === options.siteId && /site/i.test(name)))
    .sort((one, other) => rank(one) - rank(other));
}

function rank({ name }: JsonLeaf): number {
  if (/^(id|uuid)$/i.test(name)) return 0;
  if (/site|tenant|user|trace|creat|updat|_at$|At$/i.test(name)) return 3;
  return /(_id|Id|ID|uuid)$/.test(name) ? 1 : 2;
}

function typeOf(id: unknown): string {
  if (typeof id === 'number') return 'integer';
  return /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(String(id)) ? 'uuid' : 'string';
}

/** What a creation may be, beyond what is promised. */
async function probeFreedom(probe: Probe): Promise<void> {
  const { findings } = probe;
  const stranger = await createSubscription(probe, { extra: { 'x-sitepub-nobodys-field': true } });
  findings.found(
    'subscription.unknown-fields',
    succeeded(stranger.exchange) ? 'ignored' : 'refused',
    `a creation with one field more was ${succeeded(stranger.exchange) ? 'taken' : 'refused'}`,
  );
  const empty = await createSubscription(probe, { events: [] });
  findings.found(
    'subscription.empty-events',
    succeeded(empty.exchange) ? 'accepted' : 'refused',
    `a creation without any event was ${succeeded(empty.exchange) ? 'taken' : 'refused'}`,
  );
}
