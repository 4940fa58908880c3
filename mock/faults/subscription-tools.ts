// What the faults of subscriptions have in common.
import { chatChannels } from '../../openapi/event-names.ts';
import type { Channel } from '../../openapi/generated/types.ts';
import type { AnyCall, Values } from '../service.ts';
import type { PushMessage } from '../webhooks/render.ts';
import { byKey } from './callers.ts';
import type { Wrap } from './fault.ts';
import { acceptInvalid, type CallTest, changeResult, rejectValid, remember } from './wrap-calls.ts';

export type InputTest = (input: Values) => boolean;

/** Rejects subscriptions that should be created. */
export function rejectCreation(expected: string, when: InputTest): Wrap {
  return rejectValid('createSubscription', expected, ({ input }) => when(input));
}

type Member = 'channel' | 'events' | 'url';

/** Creates subscriptions that should be rejected, with another value for a member; undefined rejects them. */
export function acceptMember(name: Member, meantBy: (value: unknown, input: Values) => unknown): Wrap {
  return acceptInvalid('createSubscription', ({ input }) => ({ [name]: meantBy(input[name], input) }));
}

/** Answers creations with another value of a member. */
export function changeShown(name: Member | 'id', change: (value: unknown, call: AnyCall) => unknown): Wrap {
  return changeResult('createSubscription', (values, call) => ({
    ...values,
    [name]: change(values[name], call),
  }));
}

export function showAsSent(name: Member): Wrap {
  return changeShown(name, (_value, { input }) => input[name]);
}

export function eventsOf({ events }: Values): readonly unknown[] {
  return Array.isArray(events) ? events : [];
}

/** What the input of a creation, a subscription and a delivery have in common. */
type Described = { channel?: unknown; secret?: unknown };

export function onChannel(name: Channel): (described: Described) => boolean {
  return ({ channel }) => channel === name;
}

export function isChat({ channel }: Described): boolean {
  return chatChannels.some((name) => name === channel);
}

export function hasNoSecret({ secret }: Described): boolean {
  return secret === undefined;
}

/** The first site of the calling tenant. */
export function firstSiteOf({ world, caller }: AnyCall): number | undefined {
  return [...world.sites.values()].find(({ tenantId }) => tenantId === caller?.tenantId)?.id;
}

export const onFirstSite: CallTest = (call) => String(call.input.siteID) === String(firstSiteOf(call));

/** A fault that distinguishes the subscriptions that were created with an API key, by their ids. */
export const trackSubscriptionsByKey = remember('createSubscription', ({ id }, call) =>
  byKey(call) ? id : undefined,
);

export const trackTests = remember('testSubscription', (_values, { input }) => input.id);

const trackSites = remember('createSite', ({ id }) => id);

/** A fault that distinguishes the pushes about sites that were created since the start, but for test messages. */
export function trackNewSites(wrapOf: (isAboutNew: (push: PushMessage) => boolean) => Wrap): Wrap {
  return trackSites((isNew) => wrapOf(({ site, test }) => isNew(site.id) && !test));
}
