// Generated tests of subscriptions.
import { type Arbitrary, constantFrom, tuple } from 'fast-check';
import { untilAccepted } from '../../calls/look-again.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotApplicable, NotVerified } from '../../core/outcomes.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { resemblesId } from '../../subscriptions/lenient-values.ts';
import { type Subscription, sendTest } from '../../subscriptions/subscription-calls.ts';
import { type BodyFields, bodyFieldsOf, findField } from './body-fields.ts';
import { requireRefusal, requireSuccess } from './case-verdicts.ts';
import { unknownIds } from './creation-cases.ts';
import { chosen } from './subsets.ts';
import { tryCases } from './try-cases.ts';
import { type CreationCase, createCase, creationBound } from './try-creations.ts';

/** Tests of unknown subscriptions must be refused; the test of an existing one has passed before. */
export async function tryInvalidTests(context: Context, checkId: string): Promise<void> {
  const first = await testedSubscription(context);
  await tryCases(context, checkId, {
    kinds: unknownIds(first.id),
    tryOne: async (id) => {
      const exchange = await sendTest(context, { id, siteID: first.siteID });
      requireRefusal(context, exchange, {
        what: `the test of the unknown subscription ${id}`,
        kind: 'unknown-subscription',
        remark: resemblesId(id, first.id) ? 'lenient-identifier' : undefined,
      });
    },
  });
}

/** A subscription can be tested on every channel and with all choices of events. */
export async function tryTests(context: Context, checkId: string): Promise<void> {
  const first = await testedSubscription(context);
  const body = bodyFieldsOf(context, 'createSubscription');
  const sendSettled = untilRefusedForGood(context);
  let isAnyTested = false;
  await tryCases(context, checkId, {
    kinds: testable(body),
    part: 1 / 3,
    ...creationBound(context),
    tryOne: (creation) =>
      createCase(context, body, creation, async ({ values: { id } }) => {
        if (id === undefined) return;
        const isTested = await requireSuccess(context, {
          what: `the test of a subscription with ${creation.what}`,
          send: () => sendSettled({ id, siteID: context.siteId }),
          sendCounterpart: () => testAgain(context, first),
          sendLater: () => createAndTest(context, body, creation),
        });
        isAnyTested ||= isTested;
      }).then(() => {}),
  });
  if (!isAnyTested)
    throw new NotApplicable('no generated subscription has a known identifier, so none was tested');
}

/** A new subscription may be known a little later; once one is refused all the same, the smaller cases need no such wait. */
function untilRefusedForGood(
  context: Context,
): (tested: Parameters<typeof sendTest>[1]) => Promise<Exchange> {
  let isRefused = false;
  return async (tested) => {
    const send = () => sendTest(context, tested);
    if (isRefused) return send();
    const exchange = await untilAccepted(context, send);
    isRefused = !succeeded(exchange);
    return exchange;
  };
}

function testable(body: BodyFields): Arbitrary<CreationCase>[] {
  const { names } = findField(body, 'events');
  const channel = constantFrom(...findField(body, 'channel').names);
  return names.map((_, index) =>
    tuple(channel, chosen(names, index + 1)).map(([one, events]) => ({
      what: `the channel ${one} and the events ${events.join(', ')}`,
      values: { channel: one, events },
    })),
  );
}

async function createAndTest(context: Context, body: BodyFields, creation: CreationCase): Promise<Exchange> {
  let test: Exchange | undefined;
  const created = await createCase(context, body, creation, async ({ values: { id } }) => {
    if (id !== undefined) test = await sendTest(context, { id, siteID: context.siteId });
  });
  return test ?? created;
}

async function testedSubscription(context: Context): Promise<Subscription> {
  const subscription = await requireFirstSubscription(context);
  await testAgain(context, subscription);
  return subscription;
}

async function testAgain(context: Context, subscription: Subscription): Promise<Exchange> {
  const exchange = await sendTest(context, subscription);
  if (succeeded(exchange)) return exchange;
  throw new NotVerified(`the test of a subscription was refused (${describeAnswer(exchange)}); see HOOK-10`);
}
