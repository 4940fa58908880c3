import type { CallOptions } from '../../calls/call.ts';
import { expectRefusal } from '../../calls/expect-answer.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import {
  addressWithQuery,
  customSubscription,
  pushable,
  subscriptionOf,
} from '../../subscriptions/shared-subscriptions.ts';
import { sendCreation, unassignedId } from '../../subscriptions/subscription-calls.ts';

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
  ...noChannels.map(([shape, channel]) => refusal('HOOK-4', `channel-${shape}`, { channel })),
  ...noEvents.map(([shape, events]) => refusal('HOOK-6', shape, { events })),
  refusalOnChat('HOOK-6', 'other-event-on-chat', { events: ['site.deleted'] }),
  ...noUrls.map(([shape, url]) => refusal('HOOK-7', `url-${shape}`, { url })),
  refusalOnChat('HOOK-7', 'url-words-on-chat', { url: 'not a url' }),
  ...required.flatMap((field) => [
    refusal('HOOK-8', `missing-${field}`, { [field]: undefined }),
    refusal('HOOK-8', `null-${field}`, { [field]: null }),
  ]),
  refusalOnChat('HOOK-8', 'missing-events-on-chat', { events: undefined }),
  {
    id: 'hook-8-missing-channel-with-robot-address',
    requirement: 'HOOK-8',
    needs,
    run: async (context) => {
      pushable(await customSubscription(context, 'with-query'));
      const { url } = addressWithQuery(context);
      const what = 'a subscription without its channel, to an address such as robots have';
      await requireRefused(context, { url, channel: undefined }, what);
    },
  },
  {
    id: 'hook-9-unknown-site',
    requirement: 'HOOK-9',
    needs,
    run: async (context) => {
      const { apiKey } = context.options;
      await requireSiteRefused(context, unassignedId);
      if (apiKey) await requireSiteRefused(context, unassignedId, { token: apiKey });
    },
  },
  {
    id: 'hook-9-site-zero',
    requirement: 'HOOK-9',
    needs,
    run: (context) => requireSiteRefused(context, 0),
  },
  {
    id: 'hook-9-site-with-a-letter',
    requirement: 'HOOK-9',
    needs,
    run: (context) => requireSiteRefused(context, `${context.siteId}x`),
  },
];

/** Replaces one member of the request. */
type Wrong = Partial<Record<(typeof required)[number], unknown>>;

function refusal(requirement: string, name: string, wrong: Wrong): Check {
  return {
    id: `${requirement.toLowerCase()}-${name}`,
    requirement,
    needs,
    run: (context) => requireRefused(context, wrong, describe(wrong)),
  };
}

function refusalOnChat(requirement: string, name: string, wrong: Wrong): Check {
  return {
    ...refusal(requirement, name, wrong),
    run: async (context) => {
      pushable(await subscriptionOf(context, { channel: 'wecom', signed: false }));
      await requireRefused(context, { channel: 'wecom', ...wrong }, `${describe(wrong)} on a chat channel`);
    },
  };
}

function describe(wrong: Wrong): string {
  const [[field = '', value] = []] = Object.entries(wrong);
  if (value === undefined) return `a subscription without its ${field}`;
  if (value === null) return `a subscription whose ${field} is null`;
  return `the ${field === 'url' ? 'receiving URL' : field} ${JSON.stringify(value)}`;
}

/** Sends a creation that is wrong in one field only; a valid one has passed before. */
async function requireRefused(context: Context, wrong: object, what: string): Promise<void> {
  await requireFirstSubscription(context);
  const { exchange } = await sendCreation(context, wrong, { spoil: (body) => body });
  expectRefusal(context, exchange, { what, kind: 'invalid-request' });
}

async function requireSiteRefused(
  context: Context,
  siteID: unknown,
  options: CallOptions = {},
): Promise<void> {
  await requireFirstSubscription(context);
  const { exchange } = await sendCreation(context, { siteID }, options);
  expectRefusal(context, exchange, {
    what: `a subscription on the unknown site ${siteID}`,
    kind: 'unknown-site',
  });
}
