import { arrivalAt, arrivalMs, notSeen } from '../arrivals.ts';
import { blameTest, refusesUnknownFields } from '../blame.ts';
import type { Check, Need } from '../check.ts';
import type { Context } from '../context.ts';
import { describeAnswer, succeeded } from '../exchange.ts';
import { expectRefusal, expectSuccess } from '../expect.ts';
import { nobody, type Subscription, sendCreation, sendTest, unlike } from '../hook-calls.ts';
import { creationWorks, firstSubscription, subscribe, testArrival } from '../hooks.ts';
import { keep } from '../keep.ts';
import { NotVerified, PromiseBroken } from '../outcomes.ts';
import { anotherSite } from '../sites.ts';
import { channels, eventNames } from '../vocabulary.ts';

const needs: readonly Need[] = ['account', 'site', 'creates'];
const noUrls: readonly (readonly [string, unknown])[] = [
  ['words', 'not a url'],
  ['path', '/hooks/relative'],
  ['no-scheme', '://hooks.example.com/x'],
  ['empty', ''],
  ['number', 42],
];
const required = ['url', 'events', 'channel'] as const;

/** Creating and testing subscriptions. */
export const subscriptions: readonly Check[] = [
  {
    id: 'hook-1-created-subscription-has-testable-id',
    requirement: 'HOOK-1',
    needs,
    run: async (context) => {
      const subscription = await firstSubscription(context);
      const { id, exchange } = subscription;
      if (!isIdentifier(id))
        throw new PromiseBroken('an identifier of the created subscription', JSON.stringify(id), exchange);
      const test = await sendTest(context, subscription);
      if (!succeeded(test) && (await blameTest(context, subscription, test)) === 'HOOK-1') {
        throw new PromiseBroken(
          'the identifier of the created subscription to be known to the test path',
          `it is refused as an unknown one is: ${describeAnswer(test)}`,
          test,
        );
      }
    },
  },
  {
    id: 'hook-2-with-secret',
    requirement: 'HOOK-2',
    needs,
    run: async (context) => {
      const { exchange } = await subscribeWithSecret(context);
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
      await creationWorks(context);
      if (context.plainSecret === undefined) return;
      const refusal = context.exchanges.find(({ operation }) => operation === 'createSubscription');
      throw new PromiseBroken(
        'a subscription without a secret to be created (code 0)',
        `only one with a secret is; without: ${refusal && describeAnswer(refusal)}`,
        refusal,
      );
    },
  },
  ...channels.map((channel) => ({
    id: `hook-3-channel-${channel}`,
    requirement: 'HOOK-3',
    needs,
    run: async (context: Context) => {
      await subscribe(context, { channel });
    },
  })),
  ...['slack', 'Custom', ''].map((channel) => ({
    id: `hook-4-channel-${channel === '' ? 'empty' : channel === 'Custom' ? 'capitalised' : channel}`,
    requirement: 'HOOK-4',
    needs,
    run: (context: Context) =>
      refuseSpoilt(context, { field: 'channel', value: channel, what: `the channel "${channel}"` }),
  })),
  ...eventNames.map((event) => ({
    id: `hook-5-event-${event.replace('.', '-')}`,
    requirement: 'HOOK-5',
    needs,
    run: async (context: Context) => {
      await subscribe(context, { events: [event] });
    },
  })),
  {
    id: 'hook-5-all-events',
    requirement: 'HOOK-5',
    needs,
    run: async (context) => {
      await subscribe(context, { events: [...eventNames] });
    },
  },
  {
    id: 'hook-6-other-event',
    requirement: 'HOOK-6',
    needs,
    run: (context) =>
      refuseSpoilt(context, {
        field: 'events',
        value: ['site.deleted'],
        what: 'an event that is none of the seven',
      }),
  },
  {
    id: 'hook-6-other-event-beside-a-valid-one',
    requirement: 'HOOK-6',
    needs,
    run: (context) =>
      refuseSpoilt(context, {
        field: 'events',
        value: ['publish.complete', 'site.deleted'],
        what: 'an event that is none of the seven beside a valid one',
      }),
  },
  ...noUrls.map(([shape, value]) => ({
    id: `hook-7-url-${shape}`,
    requirement: 'HOOK-7',
    needs,
    run: (context: Context) =>
      refuseSpoilt(context, { field: 'url', value, what: `the receiving URL ${JSON.stringify(value)}` }),
  })),
  ...required.map((field) => ({
    id: `hook-8-missing-${field}`,
    requirement: 'HOOK-8',
    needs,
    run: (context: Context) =>
      refuseSpoilt(context, { field, value: undefined, what: `a subscription without its ${field}` }),
  })),
  {
    id: 'hook-9-unknown-site',
    requirement: 'HOOK-9',
    needs,
    run: async (context) => {
      await creationWorks(context);
      const { exchange } = await sendCreation(context, { siteID: nobody });
      expectRefusal(context, exchange, { what: 'a subscription on an unknown site', kind: 'unknown-site' });
    },
  },
  {
    id: 'hook-10-test-push-arrives',
    requirement: 'HOOK-10',
    needs: [...needs, 'receiver'],
    run: async (context) => {
      const subscription = await subscribe(context);
      const exchange = await sendTest(context, subscription);
      const blamed = succeeded(exchange) ? 'HOOK-10' : await blameTest(context, subscription, exchange);
      if (blamed !== 'HOOK-10')
        throw new NotVerified(
          `the test of a subscription was refused (${describeAnswer(exchange)}); see ${blamed}`,
        );
      expectSuccess(context, exchange, 'the test of a subscription');
      const push = await arrivalAt(context, subscription.path, arrivalMs(context));
      if (!push)
        throw new PromiseBroken(
          "a test message at the subscription's target",
          notSeen(arrivalMs(context)),
          exchange,
        );
      for (const channel of channels)
        for (const signed of [false, true]) await requireTestPush(context, { channel, signed });
    },
  },
  {
    id: 'hook-11-test-of-unknown-subscription',
    requirement: 'HOOK-11',
    needs,
    run: async (context) => {
      const { id, siteID } = await testedSubscription(context);
      const exchange = await sendTest(context, { id: unlike(id), siteID });
      expectRefusal(context, exchange, {
        what: 'the test of an unknown subscription',
        kind: 'unknown-subscription',
      });
    },
  },
  {
    id: 'hook-11-test-through-another-site',
    requirement: 'HOOK-11',
    needs,
    run: async (context) => {
      const { id } = await testedSubscription(context);
      const { siteID, token } = await anotherSite(context);
      const exchange = await sendTest(context, { id, siteID }, { token });
      expectRefusal(context, exchange, {
        what: 'the test of a subscription that belongs to another site',
        kind: 'unknown-subscription',
      });
    },
  },
];

/** Where unknown fields are refused, the secret may have been one for its name. */
async function subscribeWithSecret(context: Context): Promise<Subscription> {
  try {
    return await subscribe(context, { secret: `suite-${context.runId}-optional` });
  } catch (error) {
    if (!(error instanceof PromiseBroken) || !(await refusesUnknownFields(context))) throw error;
    throw new NotVerified(
      `a subscription with a secret was refused (${error.actual}), perhaps for the name of the secret; state subscription.request.secret in the profile`,
    );
  }
}

interface Spoiling {
  field: (typeof required)[number];
  value: unknown;
  what: string;
}

/** Sends a creation that is wrong in one field only; a right one has passed before. */
async function refuseSpoilt(context: Context, { field, value, what }: Spoiling): Promise<void> {
  await creationWorks(context);
  const { exchange } = await sendCreation(context, { [field]: value }, { spoil: (body) => body });
  expectRefusal(context, exchange, { what, kind: 'invalid-request' });
}

async function testedSubscription(context: Context): Promise<{ id: unknown; siteID: unknown }> {
  await creationWorks(context);
  const subscription = await firstSubscription(context);
  if (!succeeded(await sendTest(context, subscription)))
    throw new NotVerified('the test of a subscription was refused; see HOOK-10');
  return subscription;
}

/** That such a subscription or its test is refused is another promise's matter. */
async function requireTestPush(context: Context, kind: { channel: string; signed: boolean }): Promise<void> {
  const kept = await keep(() => testArrival(context, kind));
  if (kept.error || kept.value()) return;
  throw new PromiseBroken(
    `a test message at the target of a subscription on the channel ${kind.channel} ${kind.signed ? 'with' : 'without'} a secret`,
    notSeen(arrivalMs(context)),
  );
}

function isIdentifier(id: unknown): boolean {
  return (typeof id === 'string' && id !== '') || typeof id === 'number';
}
