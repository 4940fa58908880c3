// Draws profiles of conforming deployments that differ as much as the gaps allow.
import { isDeepStrictEqual } from 'node:util';
import { makeProfile, type Profile } from '../../../openapi/profile.ts';
import { type Gap, gaps } from '../../../openapi/registers.ts';
import { createRandom, type Random } from '../../../openapi/testing/random-profile.ts';
import { drawBody, drawPointers } from './draw-bodies.ts';
import { codeForms, drawCodes, drawStatuses } from './draw-errors.ts';
import { createNamer, type Style, styles } from './draw-names.ts';
import { drawCall, drawHabits, type Habits } from './draw-operations.ts';
import { varyCalls } from './vary-calls.ts';

interface Kind {
  /** Draws obvious names and pointers. Discovery cannot guess paths in any case. */
  guessable?: boolean;
}

/** The same seed yields the same profiles. In 60 profiles, each value of a gap with few values occurs at least twice. */
export function populationProfiles(
  count: number,
  seed: number,
  { guessable: isGuessable = false }: Kind = {},
): Profile[] {
  const random = createRandom(seed);
  const hands = new Map(gaps.map((gap) => [gap.id, deal(choicesOf(gap), count, random)]));
  const ofStyle = deal(styles, count, random);
  return Array.from({ length: count }, (_, index) => {
    const choices = Object.fromEntries([...hands].map(([id, hand]) => [id, hand[index]]));
    return drawProfile(`population-${seed}-${index}`, {
      choices,
      random,
      isGuessable,
      style: ofStyle[index] ?? 'snake',
    });
  });
}

/** Deals each choice equally often, in random order. */
function deal<T>(choices: readonly T[], count: number, random: Random): T[] {
  const order = random.shuffle(choices);
  const dealt = Array.from({ length: count }, (_, index) => order[index % order.length] as T);
  return random.shuffle(dealt);
}

/** Placeholder for a value drawn later. */
const drawn = Symbol('drawn');

/** Values or kinds of values to deal for a gap. */
export function choicesOf(gap: Gap): readonly unknown[] {
  const notYet = heldValues[gap.id] ?? [];
  return allChoicesOf(gap).filter((choice) => !notYet.some((one) => isDeepStrictEqual(one, choice)));
}

function allChoicesOf({ id, kind, schema }: Gap): readonly unknown[] {
  if (kind === 'operation') return [...Array.from({ length: 11 }, () => drawn), 'not-offered', 'unknown'];
  if (id === 'errors.http-status') return ['conventional', 'always-200', drawn];
  if (id === 'errors.codes') return codeForms;
  if (Array.isArray(schema.enum)) return values[id] ?? schema.enum;
  if (kind === 'template' && schema.oneOf) return ['none', drawn];
  if (String(schema.pattern).includes('absent')) return ['absent', drawn];
  return values[id] ?? (kind === 'status' ? successes : [drawn]);
}

const successes = [200, 201, 202, 203, 299];
const values: Readonly<Record<string, readonly unknown[]>> = {
  'token.lifetime': [120, 7200, 100_000, drawn],
  'refresh.window': [3600, 604_800, 31_536_000, drawn],
  // A busy machine would exceed shorter timeouts.
  'webhook.timeout': [5, 30, drawn],
  'idempotency.window': [10, 30, drawn],
  'hook-test.event': [
    'subscribed',
    'subscribed-in-document-order',
    'publish.complete',
    'ping',
    'webhook.test_0-1',
  ],
  'webhook.timestamp-offset': ['Z', '+00:00', '+08:00', '+05:45', '-03:30', '-11:00', '+14:00'],
  'idempotency.key-header': ['Idempotency-Key', 'x-request-key', 'X-2'],
  'login.lock-out': [
    'none',
    { after: 5, seconds: 120 },
    { after: 10, seconds: 60 },
    { after: 20, seconds: 900 },
  ],
  'limits.lock': ['none', 61, 120, 300],
  'subscription.quota': ['none', 10, 12, 20],
  'webhook.latency': [0, 1, 12],
  'webhook.retry-delay': [0, 20, 45],
  'publish.duration': [0, 3, 35],
};
const ranges: Readonly<Record<string, readonly [number, number]>> = {
  'token.lifetime': [120, 100_000],
  'refresh.window': [3600, 31_536_000],
  'webhook.timeout': [5, 30],
  'idempotency.window': [10, 30],
};

interface Draw {
  choices: Readonly<Record<string, unknown>>;
  random: Random;
  style: Style;
  isGuessable: boolean;
}

function drawProfile(name: string, draw: Draw): Profile {
  const { choices, random, style } = draw;
  const habits = drawHabits(style, random);
  const places = draw.isGuessable ? guessPlaces(random) : drawPlaces(draw);
  const all = gaps.map((gap) => {
    const choice = choices[gap.id];
    const value = choice === drawn ? (places[gap.id] ?? drawValue(gap, habits)) : choice;
    return [
      gap,
      gap.id === 'errors.codes' ? drawCodes(choice as (typeof codeForms)[number], random) : value,
    ] as const;
  });
  // A profile may omit a default.
  const stated = all.filter(([gap, value]) => !isDeepStrictEqual(value, gap.default) || random.chance(0.6));
  const values = Object.fromEntries(stated.map(([{ id }, value]) => [id, value]));
  return makeProfile(withoutContradiction(withoutLongAnswers(varyCalls(values, habits))), {
    name,
    source: `${name}.yaml`,
  });
}

/** A synchronous publish waits in real time, so it takes none. */
function withoutLongAnswers(values: Record<string, unknown>): Record<string, unknown> {
  const isLong = values['publish.mode'] === 'synchronous' && Number(values['publish.duration']) > 0;
  return isLong ? { ...values, 'publish.duration': 0 } : values;
}

/**
 * Ids counted per site are ambiguous if an operation omits the site. A client cannot make ten calls a minute if the second one within six
 * seconds locks it out.
 */
function withoutContradiction(given: Record<string, unknown>): Record<string, unknown> {
  const { 'limits.lock': _lock, ...unlocked } = given;
  const values = given['limits.window'] === 'paced' ? unlocked : given;
  const { 'subscription.id-scope': _scope, ...rest } = values;
  const texts = Object.values(values).map((value) => JSON.stringify(value));
  const leavesOut = texts.some((text) => text.includes('{subscriptionID}') && !text.includes('{siteID}'));
  return leavesOut ? rest : values;
}

/** Field names of the requests, and pointers in the documented answers. */
function drawPlaces({ random, style }: Draw): Record<string, unknown> {
  const namer = createNamer(style, random);
  const fields = gaps.filter(({ kind }) => kind === 'field').map(({ id }) => [id, namer.name(lastOf(id))]);
  const pointers = gaps.filter(({ kind }) => kind === 'pointer').map(({ id }) => id);
  const answers = [...Map.groupBy(pointers, (id) => id.slice(0, id.indexOf('.')))].map(([, ids]) => {
    const drawnPointers = drawPointers(ids.map(lastOf), { style, random, root: ['data'] });
    return ids.map((id) => [id, drawnPointers[lastOf(id)]]);
  });
  return Object.fromEntries([...fields, ...answers.flat()]);
}

function guessPlaces(random: Random): Record<string, unknown> {
  return Object.fromEntries(Object.entries(guessable).map(([id, likely]) => [id, random.pick(likely)]));
}

/** "expires_in" for "login.expires-in". */
function lastOf(id: string): string {
  return id.slice(id.lastIndexOf('.') + 1).replaceAll('-', '_');
}

function drawValue(gap: Gap, habits: Habits): unknown {
  const { random } = habits;
  const { id, kind, placeholders = [] } = gap;
  if (kind === 'operation') return drawCall(gap, habits);
  if (kind === 'errors') return drawStatuses(random);
  const range = ranges[id];
  if (range) return random.integer(...range);
  return drawBody(
    placeholders.filter(() => random.chance(0.85)),
    habits,
  );
}

/** Legal values that are not drawn: the receiver has neither https nor a public URL, so no push would arrive. */
export const heldValues: Readonly<Record<string, readonly unknown[]>> = {
  'subscription.url-rule': ['https-only', 'public-only'],
};

/** Obvious values by gap id, for deployments that discovery can guess. */
const guessable: Readonly<Record<string, readonly unknown[]>> = {
  'subscription.request.url': [
    ...['url', 'callback_url', 'callbackUrl', 'target_url', 'targetUrl', 'endpoint', 'receiving_url'],
  ],
  'subscription.request.events': ['events', 'event_types', 'eventTypes', 'event_names', 'topics'],
  'subscription.request.channel': ['channel', 'type', 'channel_type', 'channelType'],
  'subscription.request.secret': [
    ...['secret', 'signing_secret', 'signingSecret', 'signing_key', 'webhook_secret'],
  ],
  'login.token': [
    ...['/data/token', '/data/accessToken', '/data/access_token', '/data/session/token', '/data/auth/token'],
  ],
  'login.expires-in': ['/data/expires_in', '/data/expiresIn', '/data/session/expires_in', '/data/ttl'],
  'refresh.token': [
    ...['/data/token', '/data/accessToken', '/data/access_token', '/data/session/token', '/data/auth/token'],
  ],
  'refresh.request': [{ token: '{token}' }, { access_token: '{token}' }, { accessToken: '{token}' }],
  'subscription.response.id': [
    ...['/data/id', '/data/webhook_id', '/data/webhookId', '/data/subscription/id', '/data/subscription_id'],
  ],
  'subscription.response.url': [
    '/data/url',
    '/data/callback_url',
    '/data/subscription/url',
    '/data/targetUrl',
  ],
  'subscription.response.events': ['/data/events', '/data/event_types', '/data/subscription/events'],
  'subscription.response.channel': ['/data/channel', '/data/type', '/data/subscription/channel'],
  'subscription.response.secret': ['/data/secret', '/data/signing_secret', '/data/subscription/secret'],
  'hook-test.request': [{ event: '{event}' }, { event_type: '{event}' }, { eventType: '{event}' }],
  'hook-test.delivered': ['/data/delivered', '/data/success', '/data/result/delivered'],
};
