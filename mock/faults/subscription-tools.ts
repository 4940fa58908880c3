// Which subscriptions a fault is about, and how it takes their creation: for several tables of faults.
import { chatChannels, eventNames } from '../../openapi/event-names.ts';
import type { Channel } from '../../openapi/generated/types.ts';
import type { AnyCall, Values } from '../service.ts';
import type { PushMessage } from '../webhooks/render.ts';
import type { Subscription } from '../world/entries.ts';
import { byKey } from './callers.ts';
import type { Wrap } from './fault.ts';
import { acceptInvalid, type CallTest, changeResult, rejectValid, remember } from './wrap-calls.ts';

export type InputTest = (input: Values) => boolean;

/** Rejects subscriptions that should be created. */
export function rejectCreation(expected: string, when: InputTest): Wrap {
  return rejectValid('createSubscription', expected, ({ input }) => when(input));
}

export type Member = 'channel' | 'events' | 'url';

/** Creates subscriptions with another value for a member, also where it is valid; where that is undefined, they are judged as they are. */
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
export type Described = { channel?: unknown; secret?: unknown };

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

/** A fault that distinguishes the pushes about sites that were created since the start, but for test messages. */
export function trackNewSites(wrapOf: (isAboutNew: (push: PushMessage) => boolean) => Wrap): Wrap {
  const track = remember('createSite', ({ id }) => id);
  return track((isNew) => wrapOf(({ site, test }) => isNew(site.id) && !test));
}

/** Replaces unknown events by those of the seven that may be meant; others stay, and are rejected. */
export function acceptEvents(meantBy: (event: string) => readonly string[]): Wrap {
  return acceptMember('events', (_events, input) => {
    const events = eventsOf(input).flatMap((event) => {
      const known = isKnownEvent(event) ? [event] : meantBy(String(event)).filter(isKnownEvent);
      return known.length > 0 ? known : [event];
    });
    return [...new Set(events)];
  });
}

export function isKnownEvent(event: unknown): boolean {
  return eventNames.some((name) => name === event);
}

export function testedIn({ world, input }: AnyCall): Subscription | undefined {
  return world.subscriptions.get(String(input.id));
}
