// How the control API shows the world, short (`note…`) or in full (`show…`).
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { jsonIn } from '../../openapi/json.ts';
import { lazily } from '../../openapi/libraries.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { JournalEntry, JournalExchange } from '../http/journal.ts';
import { isSignedBy } from '../inbox/inbox-request.ts';
import { openInbox } from '../inbox/inboxes.ts';
import { nextRetryAt } from '../webhooks/delivery-steps.ts';
import { digest, isPasswordOf } from '../world/digests.ts';
import type { Attempt, Delivery, InboxMessage } from '../world/entries.ts';
import { isoTime, timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';
import { nameOfTenant } from './control-error.ts';
import type { ControlledMock, Query } from './controlled-mock.ts';
import {
  redactAddress,
  redactBody,
  redactHeaders,
  redactPath,
  redactText,
  secretPlacesOf,
} from './redact-request.ts';

type Snake<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

type Plain<Name, Value> = Name extends 'at' | `${string}At` ? string : Exclude<Value, undefined>;

type Shown<Entry> = Entry extends unknown
  ? {
      [Name in keyof Entry as undefined extends Entry[Name] ? never : Snake<Name>]: Plain<Name, Entry[Name]>;
    } & {
      [Name in keyof Entry as undefined extends Entry[Name] ? Snake<Name> : never]?: Plain<Name, Entry[Name]>;
    }
  : never;

/** Writes names in snake_case and the milliseconds of "at" and "…At" as ISO 8601, and drops undefined members. */
export function show<Entry extends object>(entry: Entry): Shown<Entry> {
  const members = Object.entries(entry)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === 'number' && /^at$|At$/.test(name) ? isoTime(value) : value,
    ]);
  return Object.fromEntries(members) as Shown<Entry>;
}

export function showClock({ clock }: Pick<World, 'clock'>): Schemas['Clock'] {
  return { mode: clock.mode, now: isoTime(timeOf(clock)) };
}

export const pageSize = 100;

export type PageRequest = Query<'listWorlds'>;

type Listed<Name extends string, Line> = Record<Name, Line[]> & { total: number; next?: number };

/** A page of a list, under the name of the list. Ids only grow, so entries that are added or deleted do not shift pages. */
export function listOf<Name extends string, Entry extends { id: number }, Line>(
  name: Name,
  entries: Iterable<Entry>,
  { cursor, limit = pageSize, order = 'oldest' }: PageRequest,
  showLine: (entry: Entry) => Line,
): Listed<Name, Line> {
  const sign = order === 'newest' ? -1 : 1;
  const all = [...entries];
  const left = all.filter(({ id }) => cursor === undefined || sign * (id - cursor) > 0);
  left.sort((one, other) => sign * (one.id - other.id));
  const page = left.slice(0, limit);
  const next = left.length > limit && { next: page.at(-1)?.id };
  const lines = page.map((entry) => showLine(entry));
  return { [name]: lines, total: all.length, ...next } as Listed<Name, Line>;
}

export function noteRequest(world: World, exchange: JournalExchange): Omit<Schemas['RequestNote'], 'id'> {
  const { at, method, url, operation, tenantId, who, answer } = exchange;
  const { traceId, durationMs, delayReason, refusal, forcedBy } = exchange;
  return show({
    at,
    method,
    path: redactPath(url),
    operation,
    tenant: tenantId === undefined ? undefined : nameOfTenant(world, tenantId),
    who: who && redactText(who),
    status: answer?.status ?? 0,
    code: codeIn(answer?.body),
    traceId,
    durationMs: Math.round(durationMs * 1000) / 1000,
    delayReason,
    refusal: refusal && redactText(refusal),
    forcedBy,
  });
}

export function noteEntry(world: World, { id, exchange }: JournalEntry): Schemas['RequestNote'] {
  return { id, ...noteRequest(world, exchange) };
}

export function showRequest({ profile, world }: ControlledMock, entry: JournalEntry): Schemas['Request'] {
  const { headers, requestBody, answer } = entry.exchange;
  const places = secretPlacesOf(profile);
  const sent = { requestHeaders: redactHeaders(headers), requestBody: redactBody(requestBody, places) };
  return { ...noteEntry(world, entry), ...show({ ...sent, responseBody: redactBody(answer?.body, places) }) };
}

/** A long answer is truncated and can't be parsed, so look for the code at the start first. */
export function codeIn(body = ''): number | undefined {
  const [, first] = /^\{"code":(-?\d+)[,}]/.exec(body) ?? [];
  if (first !== undefined) return Number(first);
  const { code } = Object(jsonIn(body)) as { code?: unknown };
  return typeof code === 'number' ? code : undefined;
}

/** With a secret, each attempt says whether its signature is valid. */
export function showDelivery(delivery: Delivery, secret?: string): Schemas['Delivery'] {
  const { id, siteId, subscriptionId, event, channel, isTest, createdAt } = delivery;
  const { body, signature, state, nextAttemptAt } = delivery;
  const attempts = delivery.attempts.map((attempt, index) => ({
    ...showAttempt(attempt, index + 1),
    ...(secret !== undefined && { signature_fits: isSigned(attempt, secret, body) }),
  }));
  const url = redactAddress(delivery.url);
  const sent = { id, siteId, subscriptionId, event, channel, isTest, createdAt, url, body, signature };
  return show({ ...sent, state, nextAttemptAt, attempts });
}

function isSigned({ requestHeaders }: Attempt, secret: string, body: string): boolean {
  const headers = Object.entries(requestHeaders);
  const [, signature] = headers.find(([name]) => name.toLowerCase() === 'x-webhook-signature') ?? [];
  return isSignedBy(secret, Buffer.from(body), signature);
}

export function showCausedAttempt(
  { id, event, attempts }: Delivery,
  attempt: Attempt,
): Schemas['MovedClock']['attempts'][number] {
  return { delivery_id: id, event, ...showAttempt(attempt, attempts.indexOf(attempt) + 1) };
}

type Outcome = { status?: number } & Partial<Record<'body' | 'refusal' | 'error', string>>;

function showAttempt(attempt: Attempt, number: number): Schemas['Attempt'] {
  const { cause, at, durationMs } = attempt;
  const { error, status, body: answer, refusal }: Outcome = attempt.outcome;
  const requestHeaders = redactHeaders(attempt.requestHeaders);
  return show({ number, cause, at, requestHeaders, error, status, answer, refusal, durationMs });
}

export function noteDelivery(profile: Profile, delivery: Delivery): Schemas['DeliveryNote'] {
  const { id, siteId, subscriptionId, event, channel, createdAt, state } = delivery;
  const url = redactAddress(delivery.url);
  const attempts = delivery.attempts.map(noteAttempt);
  const planned = plannedTimes(delivery, profile).map(isoTime);
  return show({ id, siteId, subscriptionId, event, channel, createdAt, url, state, attempts, planned });
}

function noteAttempt({ at, cause, outcome }: Attempt): Schemas['DeliveryNote']['attempts'][number] {
  const { status, refusal }: Outcome = outcome;
  const isSuccess = status !== undefined && status >= 200 && status <= 299;
  return show({ at, cause, ok: isSuccess && refusal === undefined, status });
}

/** When the remaining attempts are due if each one fails, in milliseconds since 1970. */
function plannedTimes(delivery: Delivery, profile: Profile): number[] {
  const times: number[] = [];
  if (delivery.state !== 'pending') return times;
  const isFirst = delivery.attempts.every(({ cause }) => cause === 'redelivery');
  let at: number | undefined = delivery.nextAttemptAt ?? (isFirst ? delivery.createdAt : undefined);
  const firstAttemptAt = delivery.firstAttemptAt ?? at ?? 0;
  for (let retries = delivery.retries + (isFirst ? 0 : 1); at !== undefined; retries++) {
    times.push(at);
    at = nextRetryAt({ ...delivery, retries, firstAttemptAt }, at, profile);
  }
  return times;
}

export type PushNote = ReturnType<typeof notePush>;

/** The attempt must be the latest of the delivery. */
export function notePush(delivery: Delivery, { cause, at, outcome, durationMs }: Attempt) {
  const { id: deliveryId, event, channel, siteId, state, nextAttemptAt } = delivery;
  const push = { deliveryId, event, channel, siteId, url: redactAddress(delivery.url) };
  const { status, error, refusal }: Outcome = outcome;
  const texts = { error: error && redactText(error), refusal: refusal && redactText(refusal) };
  const made = { number: delivery.attempts.length, cause, at, status, ...texts, durationMs };
  return show({ type: 'push', ...push, ...made, state, nextAttemptAt } as const);
}

export function addressOfInbox(mock: ControlledMock, name: string): string {
  return `${mock.addresses().controlUrl}/inbox/${encodeURIComponent(name)}`;
}

/** Leaves out names without an inbox. */
export function noteInboxes(
  mock: ControlledMock,
  names: Iterable<string> = mock.world.inboxes.keys(),
): Schemas['InboxNote'][] {
  return [...names].flatMap((name) => {
    const inbox = mock.world.inboxes.get(name);
    if (!inbox) return [];
    const { kind, secret, received, respond } = inbox;
    const url = addressOfInbox(mock, name);
    return show({ name, url, kind, hasSecret: secret !== undefined, received, respond: respond.length });
  });
}

export function showInbox(mock: ControlledMock, name: string): Schemas['Inbox'] {
  const { kind, secret, respond, robot } = openInbox(mock.world, name);
  const { token, signSecret, keywords, ...shown } = robot;
  const given = { hasToken: token !== undefined, hasSignSecret: signSecret !== undefined };
  const robotShown = show({ ...given, ...shown, keywords: keywords && [...keywords] });
  const url = addressOfInbox(mock, name);
  return show({ name, url, kind, hasSecret: secret !== undefined, respond: [...respond], robot: robotShown });
}

export function showMessage({ inbox: _, at, bodyBase64, ...message }: InboxMessage): Schemas['Message'] {
  return { ...message, ...show({ at, bodyBase64 }) };
}

/** The passwords and API keys of the seed that are still valid. Computes digests only on demand. */
export function knownSecrets({ world, tenants }: ControlledMock) {
  const users = tenants.flatMap((tenant) => tenant.users);
  const candidates = Map.groupBy(users, ({ username }) => username);
  const allKeys = tenants.flatMap(({ apiKeys }) => apiKeys);
  const keys = lazily(() => new Map(allKeys.map((key) => [digest(key), key])));
  return {
    passwordOf(username: string): string | undefined {
      const user = world.users.get(username);
      return candidates.get(username)?.find(({ password }) => isPasswordOf(user, password))?.password;
    },
    keysOf: (tenantId: number) =>
      [...world.apiKeys.of(tenantId)]
        .filter(([, { deletedAt }]) => deletedAt === undefined)
        .map(([hash, { id, name }]) => show({ id, name, key: keys().get(hash) })),
  };
}

export function showTenants(mock: ControlledMock): Schemas['Tenant'][] {
  const { world } = mock;
  // Grouped once, since there may be a thousand tenants.
  const { passwordOf, keysOf } = knownSecrets(mock);
  const usersOf = Map.groupBy(world.users, ([, { tenantId }]) => tenantId);
  return [...world.tenants.values()].map(({ id, name }) => {
    const sites = [...world.sites.of(id).values()];
    const subscriptions = sites.flatMap((site) => [...world.subscriptions.of(site.id).values()]);
    const secrets = new Set(subscriptions.flatMap(({ secret }) => secret ?? []));
    return show({
      id,
      name,
      signingSecrets: secrets.size > 0 ? [...secrets] : undefined,
      users: (usersOf.get(id) ?? []).map(([username]) => show({ username, password: passwordOf(username) })),
      apiKeys: keysOf(id),
      sites: sites.map((site) => ({
        id: site.id,
        name: site.name,
        version: site.version,
        subscriptions: world.subscriptions.of(site.id).size,
      })),
    });
  });
}
