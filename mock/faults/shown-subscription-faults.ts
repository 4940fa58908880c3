import type { AnyCall, Values } from '../service.ts';
import { isByKey } from './caller-tools.ts';
import { type Fault, type Wrap, withMemory } from './fault.ts';
import { eventsOf, isChat } from './subscription-tools.ts';
import { changeResult } from './wrap-calls.ts';

/** Answers to creations that show another subscription than the one that was asked for. */
export const shownSubscriptionFaults: readonly Fault[] = [
  {
    id: 'creation-shows-last-url',
    title: 'The answer to a creation shows the receiving URL of the creation before it.',
    requirement: 'HOOK-1',
    wrap: withMemory((memory, last = memory.value<unknown>('last', undefined)) =>
      changeResult('createSubscription', (values) => {
        const url = last.get() ?? values.url;
        last.set(values.url);
        return { ...values, url };
      }),
    ),
  },
  {
    id: 'creation-shows-url-without-query',
    title: 'The answer to a creation shows the receiving URL without its query.',
    requirement: 'HOOK-1',
    wrap: changeResult('createSubscription', (values) => ({
      ...values,
      url: String(values.url).split('?')[0],
    })),
  },
  {
    id: 'creation-shows-first-three-events',
    title: 'The answer to a creation shows three of the events at most.',
    requirement: 'HOOK-1',
    wrap: changeResult('createSubscription', (values) => ({
      ...values,
      events: eventsOf(values).slice(0, 3),
    })),
  },
  {
    id: 'creation-by-key-shows-all-events',
    title: 'The answer to a creation with an API key shows an event that was not chosen.',
    requirement: 'HOOK-1',
    wrap: changeResult('createSubscription', (values, call) =>
      isByKey(call) ? { ...values, events: [...new Set([...eventsOf(values), 'content.delete'])] } : values,
    ),
  },
  {
    id: 'creation-shows-custom-for-robots',
    title: 'The answer to a creation shows the channel custom for every channel.',
    requirement: 'HOOK-1',
    wrap: changeResult(
      'createSubscription',
      (values): Values => (isChat(values) ? { ...values, channel: 'custom' } : values),
    ),
  },
  {
    id: 'list-of-subscriptions-of-all-tenants',
    title: 'The list of the subscriptions of a site has those of all sites, whoever owns them.',
    requirement: 'AUTH-6',
    wrap: listingSubscriptions(() => true),
  },
  {
    id: 'list-of-subscriptions-by-key-of-any-site',
    title: 'With an API key, the list has the subscriptions of sites of other tenants as well.',
    requirement: 'AUTH-6',
    wrap: listingSubscriptions(isByKey),
  },
];

/** Adds the subscriptions of all sites to the lists of some callers. */
function listingSubscriptions(when: (call: AnyCall) => boolean): Wrap {
  return changeResult('listSubscriptions', (values, call) => {
    if (!when(call)) return values;
    const list = [...call.world.subscriptions.values()].map(({ id, url, events, channel }) => ({
      id,
      url,
      events,
      channel,
    }));
    return { ...values, list, total: list.length };
  });
}
