// Events on sites that the run has created: a deployment may know those by stale data, or not at all.
import type { EventName } from '../../openapi/generated/types.ts';
import { callToEnd, uniqueText } from '../calls/profile-calls.ts';
import { type Context, oncePerRun } from '../context.ts';
import { succeeded } from '../core/exchange.ts';
import { type Settled, settle } from '../core/settled.ts';
import { awaitGreeting, awaitKnown, pushesOfKind } from '../push-receiver/caused-pushes.ts';
import { arrivalMs, comesWithin } from '../push-receiver/wait-for-push.ts';
import { subscribeForPush } from '../subscriptions/create-subscription.ts';
import { staysBehind } from '../subscriptions/left-behind.ts';
import { newSecret } from '../subscriptions/secret-forms.ts';
import type { Subscription } from '../subscriptions/subscription-calls.ts';
import { shortText } from './event-triggers.ts';
import { newWrite, repetitionOf } from './repeated-writes.ts';

/** An event on a new site: the subscription there that chose it alone. */
interface NewSiteEvent {
  event: EventName;
  subscription: Subscription;
  /** When it was caused, by the deployment's clock. */
  at: number;
}

/** An event on each of two new sites, or on one where subscriptions stay, in the tier `full` alone; none where no site can be created, or nothing be caused there. */
export const eventsOnNewSites = oncePerRun(causeOnNewSites);

async function causeOnNewSites(context: Context): Promise<readonly NewSiteEvent[]> {
  if (context.options.tier !== 'full' || !context.operations.has('createSite')) return [];
  const created = await settle(() => repetitionOf(context, 'createSite'));
  if (created.error) return [];
  const { first, other } = created.value();
  const ids = [first, other].flatMap((exchange) =>
    exchange && succeeded(exchange) ? (exchange.values.id ?? []) : [],
  );
  const caused: NewSiteEvent[] = [];
  for (const siteID of [...new Set(ids)].slice(0, staysBehind(context) ? 1 : ids.length)) {
    const event = await causeThere(context, siteID);
    if (event) caused.push(event);
  }
  const haveCome = () =>
    caused.every(({ subscription: { path } }) => pushesOfKind(context, path, 'event').length > 0);
  if (caused.length > 0) await comesWithin(context, haveCome, arrivalMs(context));
  return caused;
}

/** What a new site may have: comments, forms, or just publishes. */
const causes: Partial<Record<EventName, (context: Context, siteID: unknown) => Promise<unknown>>> = {
  'comment.created': (context, siteID) =>
    callToEnd(context, 'createComment', {
      values: { siteID, author: `sitepub-${context.runId}`, text: uniqueText(context, shortText) },
    }),
  'form.submit': (context, siteID) =>
    callToEnd(context, 'submitForm', {
      values: { siteID, form: 'contact', fields: { name: uniqueText(context, 'visitor'), text: shortText } },
    }),
  'publish.complete': (context, siteID) => {
    const { values, ...write } = newWrite(context);
    return callToEnd(context, 'publishSite', { ...write, values: { ...values, siteID } });
  },
};

/** Causes the first event that the deployment lets happen on a new site. */
async function causeThere(context: Context, siteID: unknown): Promise<NewSiteEvent | undefined> {
  for (const [event, cause] of Object.entries(causes) as [EventName, (typeof causes)[EventName]][]) {
    const subscribed: Settled<Subscription> = await settle(() =>
      subscribeForPush(context, { siteID, events: [event], secret: newSecret(context) }),
    );
    if (subscribed.error || !cause) continue;
    const subscription = subscribed.value();
    await awaitGreeting(context, subscription.path);
    await awaitKnown(context);
    const at = context.clock.now();
    const { error } = await settle(() => cause(context, siteID));
    if (!error) return { event, subscription, at };
  }
  return undefined;
}
