import type { AnyCall, Values } from '../service.ts';
import { isByKey } from './caller-tools.ts';
import { faultsOf, type Wrap } from './fault.ts';
import { eventsOf, isChat } from './subscription-tools.ts';
import { changeResult } from './wrap-calls.ts';

/** Answers to creations that show another subscription than the one that was asked for. */
export const shownSubscriptionFaults = faultsOf({
  'HOOK-1': {
    'creation-shows-last-url: The answer to a creation shows the receiving URL of the creation before it.': (
      { memory },
      last = memory.value<unknown>('last', undefined),
    ) =>
      changeResult('createSubscription', (values) => {
        const url = last.get() ?? values.url;
        last.set(values.url);
        return { ...values, url };
      }),
    'creation-shows-url-without-query: The answer to a creation shows the receiving URL without its query.':
      () =>
        changeResult('createSubscription', (values) => ({
          ...values,
          url: String(values.url).split('?')[0],
        })),
    'creation-shows-first-three-events: The answer to a creation shows three of the events at most.': () =>
      changeResult('createSubscription', (values) => ({ ...values, events: eventsOf(values).slice(0, 3) })),
    'creation-by-key-shows-all-events: The answer to a creation with an API key shows an event that was not chosen.':
      () =>
        changeResult('createSubscription', (values, call) =>
          isByKey(call)
            ? { ...values, events: [...new Set([...eventsOf(values), 'content.delete'])] }
            : values,
        ),
    'creation-shows-custom-for-robots: The answer to a creation shows the channel custom for every channel.':
      () =>
        changeResult(
          'createSubscription',
          (values): Values => (isChat(values) ? { ...values, channel: 'custom' } : values),
        ),
  },
  'AUTH-6': {
    'list-of-subscriptions-of-all-tenants: The list of the subscriptions of a site has those of all sites, whoever owns them.':
      () => listingSubscriptions(() => true),
    'list-of-subscriptions-by-key-of-any-site: With an API key, the list has the subscriptions of sites of other tenants as well.':
      () => listingSubscriptions(isByKey),
  },
});

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
