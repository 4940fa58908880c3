// The pushes of an event, of the first time that a run has caused it and of the second time.
import type { EventName } from '../../openapi/generated/types.ts';
import type { Context } from '../context.ts';
import { type Exchange, type SentRequest, succeeded } from '../core/exchange.ts';
import { isJsonNumber } from '../core/parse-json.ts';
import type { Settled } from '../core/settled.ts';
import { pushesOfKind } from '../push-receiver/caused-pushes.ts';
import type { Push } from '../push-receiver/push-receiver.ts';
import { eventNamed, versionOf } from '../push-receiver/read-push.ts';
import type { Round } from './call-as.ts';

/** A call that caused an event: when it was sent, and its answer; reading one that was refused or lost throws the reason. */
export interface Cause extends Pick<SentRequest, 'at' | 'order'> {
  call: Settled<Exchange>;
}

/** What caused the events of a run, and what caused them again. */
export interface Causes {
  caused: ReadonlyMap<EventName, Cause>;
  recurred: ReadonlyMap<EventName, Cause>;
  /** Whether all events come to the same subscriptions. */
  isShared: boolean;
}

interface Place {
  path: string;
  event: EventName;
  round: Round;
  /** Whether other events come to the same path, which the run decides unless given; a push that names none counts for any. */
  isShared?: boolean;
}

/** The push of an event to a path; undefined where it has not come so far. */
export function occurrenceAt(
  context: Context,
  { caused, recurred, isShared: isRunShared }: Causes,
  { path, event, round, isShared = isRunShared }: Place,
): Push | undefined {
  const all = pushesOfKind(context, path, 'event');
  const pushes = isShared ? all.filter((push) => (eventNamed(push) ?? event) === event) : all;
  const since = caused.get(event)?.order ?? 0;
  const first = pushes.filter(({ order }) => order > since);
  const again = recurred.get(event);
  if (round === 'first') return first[0];
  if (!again) return undefined;
  const later = first.filter(({ order }) => order > again.order);
  const versioned = later.filter((push) => isJsonNumber(versionOf(push)));
  const version = event === 'publish.complete' ? knownVersion(context, again, pushes) : undefined;
  if (version !== undefined && versioned.length > 0)
    return versioned.find((push) => versionOf(push) === version);
  // Where even the first push came only now, it does not count as the second. The two may be alike to the letter, such as on chat channels.
  const isFirstLate = later.length === first.length;
  return isFirstLate ? (later.find(({ body }) => !later[0]?.body.equals(body)) ?? later[1]) : later[0];
}

/** The versions that the publishes of the run were answered with. */
export function answeredVersions({ exchanges }: Pick<Context, 'exchanges'>): unknown[] {
  return exchanges
    .filter((exchange) => exchange.operation === 'publishSite' && succeeded(exchange))
    .map(({ values }) => values.version);
}

/** The version that a publish was answered with, where pushes name such versions and no others: else those may be something else. */
function knownVersion(context: Context, { call }: Cause, pushes: readonly Push[]): unknown {
  const version = call.error ? undefined : call.value().values.version;
  const answered = answeredVersions(context);
  const named = pushes.map(versionOf).filter(isJsonNumber);
  const isShown = named.length > 0 && named.every((one) => answered.includes(one));
  return isJsonNumber(version) && isShown ? version : undefined;
}
