import { expectRefusal } from '../../calls/expect-answer.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { creationWorks } from '../../subscriptions/create-subscription.ts';
import {
  customSubscription,
  pushable,
  robotLikeAddress,
  subscriptionOf,
} from '../../subscriptions/shared-subscriptions.ts';
import { nobody, type SubscriptionRequest, sendCreation } from '../../subscriptions/subscription-calls.ts';

const needs: readonly Need[] = ['account', 'site', 'creates'];

const noChannels: readonly (readonly [string, unknown])[] = [
  ['slack', 'slack'],
  ['capitalised', 'Custom'],
  ['empty', ''],
  ['wechat', 'wechat'],
  ['lark', 'lark'],
  ['number', 1],
  ['list', ['custom']],
];
const noEvents: readonly (readonly [string, readonly unknown[]])[] = [
  ['other-event', ['site.deleted']],
  ['other-event-beside-a-valid-one', ['publish.complete', 'site.deleted']],
  ['other-event-between-valid-ones', ['publish.complete', 'site.deleted', 'form.submit']],
  ['event-capitalised', ['Content.Update']],
  ['event-in-past-tense', ['content.updated']],
  ['event-with-underscore', ['content_update']],
  ['event-family', ['content']],
  ['event-star', ['*']],
  ['event-empty', ['']],
  ['event-number', [1]],
];
const noUrls: readonly (readonly [string, unknown])[] = [
  ['words', 'not a url'],
  ['path', '/hooks/relative'],
  ['no-scheme', '://hooks.example.com/x'],
  ['no-host', 'https://'],
  ['empty', ''],
  ['number', 42],
  ['list', ['https://hooks.example.com/x']],
];
const required = ['url', 'events', 'channel'] as const;

/** Creations that are wrong in one thing. */
export const subscriptionRefusals: readonly Check[] = [
  ...noChannels.map(([shape, channel]) => ({
    id: `hook-4-channel-${shape}`,
    requirement: 'HOOK-4',
    needs,
    run: (context: Context) => refuseSpoilt(context, { channel }, `the channel ${JSON.stringify(channel)}`),
  })),
  ...noEvents.map(([shape, events]) => ({
    id: `hook-6-${shape}`,
    requirement: 'HOOK-6',
    needs,
    run: (context: Context) => refuseSpoilt(context, { events }, `the events ${JSON.stringify(events)}`),
  })),
  {
    id: 'hook-6-other-event-on-chat',
    requirement: 'HOOK-6',
    needs,
    run: (context) =>
      refuseOnChat(context, { events: ['site.deleted'] }, 'the event site.deleted on a chat channel'),
  },
  ...noUrls.map(([shape, url]) => ({
    id: `hook-7-url-${shape}`,
    requirement: 'HOOK-7',
    needs,
    run: (context: Context) => refuseSpoilt(context, { url }, `the receiving URL ${JSON.stringify(url)}`),
  })),
  {
    id: 'hook-7-url-words-on-chat',
    requirement: 'HOOK-7',
    needs,
    run: (context) =>
      refuseOnChat(context, { url: 'not a url' }, 'the receiving URL "not a url" on a chat channel'),
  },
  ...required.flatMap((field) => [
    {
      id: `hook-8-missing-${field}`,
      requirement: 'HOOK-8',
      needs,
      run: (context: Context) =>
        refuseSpoilt(context, { [field]: undefined }, `a subscription without its ${field}`),
    },
    {
      id: `hook-8-null-${field}`,
      requirement: 'HOOK-8',
      needs,
      run: (context: Context) =>
        refuseSpoilt(context, { [field]: null }, `a subscription whose ${field} is null`),
    },
  ]),
  {
    id: 'hook-8-missing-events-on-chat',
    requirement: 'HOOK-8',
    needs,
    run: (context) =>
      refuseOnChat(context, { events: undefined }, 'a subscription on a chat channel without its events'),
  },
  {
    id: 'hook-8-missing-channel-with-robot-address',
    requirement: 'HOOK-8',
    needs,
    run: async (context) => {
      pushable(await customSubscription(context, 'with-query'));
      const { url } = robotLikeAddress(context);
      const what = 'a subscription without its channel, to an address such as robots have';
      await refuseSpoilt(context, { url, channel: undefined }, what);
    },
  },
  {
    id: 'hook-9-unknown-site',
    requirement: 'HOOK-9',
    needs,
    run: async (context) => {
      const { apiKey } = context.options;
      for (const token of apiKey ? [undefined, apiKey] : [undefined])
        await refuseSite(context, nobody, token);
    },
  },
  {
    id: 'hook-9-site-zero',
    requirement: 'HOOK-9',
    needs,
    run: (context) => refuseSite(context, 0),
  },
  {
    id: 'hook-9-site-with-a-letter',
    requirement: 'HOOK-9',
    needs,
    run: (context) => refuseSite(context, `${context.siteId}x`),
  },
];

/** Sends a creation that is wrong in one field only; a right one has passed before. */
async function refuseSpoilt(context: Context, wrong: object, what: string): Promise<void> {
  await creationWorks(context);
  const { exchange } = await sendCreation(context, wrong as SubscriptionRequest, { spoil: (body) => body });
  expectRefusal(context, exchange, { what, kind: 'invalid-request' });
}

async function refuseOnChat(context: Context, wrong: object, what: string): Promise<void> {
  pushable(await subscriptionOf(context, { channel: 'wecom', signed: false }));
  await refuseSpoilt(context, { channel: 'wecom', ...wrong }, what);
}

async function refuseSite(context: Context, siteID: unknown, token?: string): Promise<void> {
  await creationWorks(context);
  const { exchange } = await sendCreation(context, { siteID }, token === undefined ? {} : { token });
  expectRefusal(context, exchange, {
    what: `a subscription on the site ${siteID}, which there is not`,
    kind: 'unknown-site',
  });
}
