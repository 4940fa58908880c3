import type { CallOptions } from '../../calls/call.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { writeJson } from '../../core/parse-json.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { tryMistake } from '../../subscriptions/left-behind.ts';
import { expectRefusalOrRemark, leniencyOf, resemblesId } from '../../subscriptions/lenient-values.ts';
import { askForNobody, nobodysSites } from '../../subscriptions/nobodys-ids.ts';
import {
  addressWithQuery,
  customSubscription,
  pushable,
  subscriptionOf,
} from '../../subscriptions/shared-subscriptions.ts';
import { sendCreation } from '../../subscriptions/subscription-calls.ts';

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
  ['host', 'hooks.example.com/x'],
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
      const what = "a subscription without its channel, to a robot's address";
      await requireRefused(context, { url, channel: undefined }, what);
    },
  },
  {
    id: 'hook-9-unknown-site',
    requirement: 'HOOK-9',
    needs,
    run: async (context) => {
      const { apiKey } = context.options;
      const sites = await nobodysSites(context);
      await requireSiteRefused(context, sites);
      if (apiKey) await requireSiteRefused(context, sites, { token: apiKey });
    },
  },
  {
    id: 'hook-9-site-zero',
    requirement: 'HOOK-9',
    needs,
    run: (context) => requireSiteRefused(context, [0]),
  },
  {
    id: 'hook-9-site-with-a-letter',
    requirement: 'HOOK-9',
    needs,
    run: (context) => requireSiteRefused(context, [`${context.siteId}x`]),
  },
];

/** Replaces one member of the request. */
type Wrong = Partial<Record<(typeof required)[number], unknown>>;

function refusal(requirement: string, name: string, wrong: Wrong): Check {
  return {
    id: `${requirement.toLowerCase()}-${name}`,
    requirement,
    needs,
    run: (context) => tryMistake(context, requirement, () => requireRefused(context, wrong, describe(wrong))),
  };
}

function refusalOnChat(requirement: string, name: string, wrong: Wrong): Check {
  return {
    ...refusal(requirement, name, wrong),
    run: async (context) => {
      pushable(await subscriptionOf(context, { channel: 'wecom', signed: false }));
      const what = `${describe(wrong)} on a chat channel`;
      await tryMistake(context, requirement, () =>
        requireRefused(context, { channel: 'wecom', ...wrong }, what),
      );
    },
  };
}

function describe(wrong: Wrong): string {
  const [[field = '', value] = []] = Object.entries(wrong);
  if (value === undefined) return `a subscription without its ${field}`;
  if (value === null) return `a subscription whose ${field} is null`;
  return `the ${field === 'url' ? 'receiving URL' : field} ${writeJson(value)}`;
}

/** Sends a creation that is wrong in one field only; a valid one has passed before. */
async function requireRefused(context: Context, wrong: Wrong, what: string): Promise<void> {
  await requireFirstSubscription(context);
  const { exchange } = await sendCreation(context, wrong, { spoil: (body) => body });
  const remark = leniencyOf(wrong, exchange);
  expectRefusalOrRemark(context, exchange, { what, kind: 'invalid-request', remark });
}

async function requireSiteRefused(
  context: Context,
  sites: readonly unknown[],
  options: CallOptions = {},
): Promise<void> {
  await requireFirstSubscription(context);
  const send = async (siteID: unknown) => (await sendCreation(context, { siteID }, options)).exchange;
  const { id, exchange } = await askForNobody(sites, send);
  expectRefusalOrRemark(context, exchange, {
    what: `a subscription on the unknown site ${id}`,
    kind: 'unknown-site',
    remark: resemblesId(id, context.siteId) ? 'lenient-identifier' : undefined,
  });
}
