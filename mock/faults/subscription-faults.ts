import { unknownSubscription } from '../http/api-errors.ts';
import { both, faultsOf, not } from './fault.ts';
import {
  changeShown,
  choosesOnly,
  eventsOf,
  hasNoSecret,
  isChat,
  knownEventsOf,
  onChannel,
  onFirstSite,
  rejectCreation,
} from './subscriptions.ts';
import { rejectCall, watchResult } from './wrap-calls.ts';

/** Faults in creating subscriptions. */
export const subscriptionFaults = faultsOf({
  'HOOK-1': {
    'subscription-id-unknown-to-test: The identifier in the answer to a creation is not the one that the test path accepts.':
      () => changeShown('id', changeId),
    'first-subscription-of-site-not-kept: The first subscription of a site is created, but not kept.': (
      { memory },
      sites = memory.set('sites'),
    ) =>
      watchResult('createSubscription', ({ id }, { input, world }) => {
        const site = String(input.siteID);
        if (!sites.has(site)) world.subscriptions.delete(String(id));
        sites.add(site);
      }),
    'subscription-of-second-site-unknown-to-test: The test path does not know subscriptions on a site that is not the first of its tenant.':
      () =>
        rejectCall('testSubscription', not(onFirstSite), ({ input }) =>
          unknownSubscription(String(input.id)),
        ),
    'receiving-url-with-query-refused: A receiving URL with a query is refused.': () =>
      rejectCreation('no query', ({ url }) => String(url).includes('?')),
  },
  'HOOK-2': {
    'secret-required: A subscription without a signing secret is refused.': () =>
      rejectCreation('a secret', hasNoSecret),
    'secret-with-hyphen-refused-for-two-events: A signing secret with a hyphen is refused with exactly two events.':
      () =>
        rejectCreation(
          'no hyphen',
          (input) => /-/.test(String(input.secret)) && eventsOf(input).length === 2,
        ),
    'secret-refused-on-chat: A signing secret is refused on the chat channels.': () =>
      rejectCreation('no secret', both(isChat, not(hasNoSecret))),
    'secret-required-on-feishu: A subscription on the channel feishu without a signing secret is refused.':
      () => rejectCreation('a secret', both(onChannel('feishu'), hasNoSecret)),
  },
  'HOOK-3': {
    'feishu-refused: The channel feishu is refused.': () =>
      rejectCreation('another channel', onChannel('feishu')),
    'dingtalk-refused-with-several-events: The channel dingtalk is refused with more than one event.': () =>
      rejectCreation(
        'one event',
        both(onChannel('dingtalk'), (input) => eventsOf(input).length > 1),
      ),
    'custom-refused: The channel custom is refused.': () =>
      rejectCreation('a chat channel', onChannel('custom')),
    'wecom-refused-at-every-address: The channel wecom is refused, also where the receiving URL is that of a robot of the product.':
      () => rejectCreation('another channel', onChannel('wecom')),
  },
  'HOOK-5': {
    'seventh-event-refused: A subscription can choose six events at most.': () =>
      rejectCreation('six events at most', (input) => eventsOf(input).length > 6),
    'comment-created-refused-alone: The event comment.created is refused where it is chosen alone.': () =>
      rejectCreation('another event beside', choosesOnly(/^comment\.created$/)),
    'content-events-refused-one-by-one: An event of content is refused where it is chosen alone.': () =>
      rejectCreation('all events of content', choosesOnly(/^content\.\w+$/)),
    'form-submit-refused-alone: The event form.submit is refused where it is chosen alone.': () =>
      rejectCreation('other events', choosesOnly(/^form\.submit$/)),
    'publish-events-refused-apart: The event publish.complete is refused without publish.failed, and the other way round.':
      () => rejectCreation('both events of publishing', choosesOnly(/^publish\.\w+$/)),
    'events-refused-out-of-order: Events in another order than that of the document are refused.': () =>
      rejectCreation(
        'the order of the document',
        (input) => knownEventsOf(input).join() !== eventsOf(input).join(),
      ),
    'publish-failed-refused-on-dingtalk: The event publish.failed is refused on the channel dingtalk.': () =>
      rejectCreation(
        'other events',
        (input) => input.channel === 'dingtalk' && eventsOf(input).includes('publish.failed'),
      ),
  },
});

/** Another id of the same form. */
function changeId(id: unknown): unknown {
  if (typeof id === 'number') return id + 700_000;
  const text = String(id);
  return /^[0-9a-f-]{36}$/.test(text) ? text.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : `${text}0`;
}
