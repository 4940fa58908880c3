import { chatChannels, eventNames } from '../../openapi/event-names.ts';
import type { Channel } from '../../openapi/generated/types.ts';
import type { AnyCall, Values } from '../service.ts';
import type { PushMessage } from '../webhooks/render.ts';
import type { Subscription } from '../world/entries.ts';
import { byKey } from './callers.ts';
import type { Wrap } from './fault.ts';
import { acceptInvalid, type CallTest, changeResult, rejectValid, remember } from './wrap-calls.ts';

export type InputTest = (input: Values) => boolean;

export function rejectCreation(expected: string, when: InputTest): Wrap {
  return rejectValid('createSubscription', expected, ({ input }) => when(input));
}

export type Member = 'channel' | 'events' | 'url';

/** Replaces a member of a creation by what `meantBy` returns; undefined leaves it as sent. */
export function acceptMember(name: Member, meantBy: (value: unknown, input: Values) => unknown): Wrap {
  return acceptInvalid('createSubscription', ({ input }) => ({ [name]: meantBy(input[name], input) }));
}

/** Changes a member in the answer to a creation. */
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

/** Common to the input of a creation, a subscription and a delivery. */
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

export function firstSiteOf({ world, caller }: AnyCall): number | undefined {
  return [...world.sites.values()].find(({ tenantId }) => tenantId === caller?.tenantId)?.id;
}

export const onFirstSite: CallTest = (call) => String(call.input.siteID) === String(firstSiteOf(call));

export const trackSubscriptionsByKey = remember('createSubscription', ({ id }, call) =>
  byKey(call) ? id : undefined,
);

export const trackTests = remember('testSubscription', (_values, { input }) => input.id);

/** Finds pushes about sites that were created while the fault is on. Ignores test messages. */
export function trackNewSites(wrapOf: (isAboutNew: (push: PushMessage) => boolean) => Wrap): Wrap {
  const track = remember('createSite', ({ id }) => id);
  return track((isNew) => wrapOf(({ site, test }) => isNew(site.id) && !test));
}

/** Replaces unknown events by similar known ones. Events without a similar one stay, so the call is rejected. */
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
