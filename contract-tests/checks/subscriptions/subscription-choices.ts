import { chatChannels, eventNames } from '../../../openapi/event-names.ts';
import type { Channel, EventName } from '../../../openapi/generated/types.ts';
import { call } from '../../calls/call.ts';
import { withSession } from '../../calls/live-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { describeAnswer, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken, WronglyRefused } from '../../core/outcomes.ts';
import { type Settled, settle } from '../../core/settled.ts';
import {
  findAcceptedChatChannel,
  findAcceptedEvent,
  refusesUnknownFields,
} from '../../subscriptions/attribute-refusal.ts';
import { requireFirstSubscription, subscribe } from '../../subscriptions/create-subscription.ts';
import { isSparing, staysBehind } from '../../subscriptions/left-behind.ts';
import {
  customSubscription,
  customSubscriptionNames,
  someEvents,
  subscriptionOf,
  subscriptionToAll,
} from '../../subscriptions/shared-subscriptions.ts';
import { type Subscription, sendCreation } from '../../subscriptions/subscription-calls.ts';
import { robotFacts } from '../pushes/robot-rules.ts';

const needs: readonly Need[] = ['account', 'site', 'creates'];

/** The choices of a subscription: with a secret and without, on each channel, to each event. */
export const subscriptionChoices: readonly Check[] = [
  {
    id: 'hook-2-with-secret',
    requirement: 'HOOK-2',
    needs,
    run: async (context) => {
      const { exchange } = await subscriptionWithSecret(context);
      const pointer = context.profile.values['subscription.response.secret'];
      if (pointer === 'absent') return;
      const shown = exchange.values.secret !== undefined;
      context.observations.compare('subscription.response.secret', shown ? pointer : `nothing at ${pointer}`);
    },
  },
  {
    id: 'hook-2-without-secret',
    requirement: 'HOOK-2',
    needs,
    run: async (context) => {
      await requireFirstSubscription(context);
      if (context.plainSecret === undefined) return;
      const refusal = context.exchanges.find(({ operation }) => operation === 'createSubscription');
      const values = context.requests.find(({ exchange }) => exchange === refusal)?.values;
      if (!refusal || !values) return;
      const send = (token: string) => call(context, 'createSubscription', { values, token });
      throw new WronglyRefused(
        'a subscription without a secret to be created (code 0)',
        refusal,
        { again: () => withSession(context, send) },
        `${describeAnswer(refusal)}, while a subscription with a secret is created`,
      );
    },
  },
  ...chatChannels.map<Check>((channel) => ({
    id: `hook-2-secret-optional-on-${channel}`,
    requirement: 'HOOK-2',
    needs,
    run: async (context) => {
      const { signed, unsigned } = await bothOn(context, channel);
      await subscriptionWithSecret(context);
      if (signed.error && unsigned.error) throw seeOther('HOOK-3', unsigned);
      for (const subscription of [signed, unsigned]) subscription.value();
    },
  })),
  {
    id: 'hook-3-channel-custom',
    requirement: 'HOOK-3',
    needs,
    run: async (context) => {
      const { error } = await settle(() => requireFirstSubscription(context));
      if (!error) return;
      const channel = await once(context, findAcceptedChatChannel);
      if (channel === undefined) throw error;
      const { exchange } = await sendCreation(context);
      if (succeeded(exchange)) throw error;
      throw new WronglyRefused(
        'a subscription on the channel custom to be created (code 0)',
        exchange,
        {},
        `${describeAnswer(exchange)}, while a subscription on ${channel} is created`,
      );
    },
  },
  ...chatChannels.map<Check>((channel) => ({
    id: `hook-3-channel-${channel}`,
    requirement: 'HOOK-3',
    needs,
    run: async (context) => {
      const { signed, unsigned } = await bothOn(context, channel);
      if (!unsigned.error) return;
      if (!signed.error) throw seeOther('HOOK-2', unsigned);
      if (unsigned.error instanceof PromiseBroken) await requireAnyAddress(context, channel);
      unsigned.value();
    },
  })),
  ...eventNames.map<Check>((event) => ({
    id: `hook-5-event-${event.replace('.', '-')}`,
    requirement: 'HOOK-5',
    needs,
    run: (context) => requireEvent(context, event),
  })),
  {
    id: 'hook-5-all-events',
    requirement: 'HOOK-5',
    needs,
    run: async (context) => {
      if (!staysBehind(context) || !wasEveryEventChosen(context))
        await subscribe(context, { events: [...eventNames] });
    },
  },
  {
    id: 'hook-5-some-events-in-any-order',
    requirement: 'HOOK-5',
    needs,
    run: async (context) => {
      const some = await customSubscription(context, 'to-some-events');
      if (some.error) await subscribe(context, { events: someEvents });
    },
  },
  ...chatChannels.map<Check>((channel) => ({
    id: `hook-5-all-events-on-${channel}`,
    requirement: 'HOOK-5',
    needs,
    run: async (context) => {
      const all = await subscriptionToAll(context, channel);
      if (!all.error) return;
      const plain = await subscriptionOf(context, { channel, signed: true });
      if (plain.error) throw seeOther('HOOK-2 and HOOK-3', plain);
      all.value();
    },
  })),
];

/** Where a deployment refuses unknown fields, it may not know the name of the secret's field. */
async function subscriptionWithSecret(context: Context): Promise<Subscription> {
  const subscription = await subscriptionOf(context, { channel: 'custom', signed: true });
  const { error } = subscription;
  if (!(error instanceof PromiseBroken) || !(await refusesUnknownFields(context)))
    return subscription.value();
  throw new NotVerified(
    `a subscription with a secret was refused (${error.actual}), perhaps because the request has the wrong name for the secret; state subscription.request.secret in the profile`,
  );
}

async function bothOn(context: Context, channel: Channel) {
  return {
    unsigned: await subscriptionOf(context, { channel, signed: false }),
    signed: await subscriptionOf(context, { channel, signed: true }),
  };
}

function seeOther(requirement: string, { error }: Settled<Subscription>): Error {
  if (!(error instanceof PromiseBroken)) return error ?? new NotVerified(`see ${requirement}`);
  return new NotVerified(`a subscription was refused (${error.actual}); see ${requirement}`);
}

/** "The robot address is given as receiving URL": a deployment may accept only such addresses, where pushes can't be seen. */
async function requireAnyAddress(context: Context, channel: Exclude<Channel, 'custom'>): Promise<void> {
  const url = robotFacts[channel].address;
  const { exchange } = await sendCreation(context, { channel, url });
  if (succeeded(exchange))
    throw new NotVerified(
      `the deployment accepts ${channel} only with the address of a robot of that product, so the run cannot see its pushes`,
    );
}

/** Where subscriptions stay, the event may have been chosen already: alone or, in the tier `safe`, among others. */
async function isChosenAlready(context: Context, event: EventName): Promise<boolean> {
  if (!staysBehind(context)) return false;
  if (isSparing(context)) for (const name of customSubscriptionNames) await customSubscription(context, name);
  return wasChosen(
    context,
    (events) => events.includes(event) && (isSparing(context) || events.length === 1),
  );
}

/** Where the plainest subscription is refused for its events, other events may be accepted. */
async function requireEvent(context: Context, event: EventName): Promise<void> {
  const { error } = await settle(() => requireFirstSubscription(context));
  if (!error && (await isChosenAlready(context, event))) return;
  if (!error) return void (await subscribe(context, { events: [event] }));
  const accepted = await once(context, findAcceptedEvent);
  if (accepted === undefined) throw error;
  const { exchange } = await sendCreation(context, { events: [event] });
  if (!succeeded(exchange))
    throw new WronglyRefused(
      `a subscription to ${event} to be created (code 0)`,
      exchange,
      {},
      `${describeAnswer(exchange)}, while a subscription to ${accepted} is created`,
    );
}

/** Whether a subscription on the channel custom with such a choice of events was created so far. */
function wasChosen(
  { requests }: Pick<Context, 'requests'>,
  isSuch: (events: readonly unknown[]) => boolean,
): boolean {
  return requests.some(({ operation, values: { channel, events }, exchange }) => {
    const isCreated = operation === 'createSubscription' && exchange !== undefined && succeeded(exchange);
    return isCreated && channel === 'custom' && Array.isArray(events) && isSuch(events);
  });
}

/** The same of all seven events. */
function wasEveryEventChosen(context: Pick<Context, 'requests'>): boolean {
  return wasChosen(context, (events) => eventNames.every((event) => events.includes(event)));
}
