// Subscriptions that the run makes, and the pushes that come of them.

import type { CallOptions } from '../calls/call.ts';
import { isRateLimited } from '../calls/expect-answer.ts';
import { type Context, once } from '../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../core/outcomes.ts';
import { attributeCreationRefusal, mayBeMisnamed } from './attribute-refusal.ts';
import {
  newSecret,
  nextPath,
  nobodysUrl,
  type Subscription,
  type SubscriptionRequest,
  sendCreation,
} from './subscription-calls.ts';

/** Creates a subscription. Once one creation has passed, the names in the request are right and a refusal is a broken promise. */
export async function subscribe(
  context: Context,
  wish: SubscriptionRequest = {},
  options: CallOptions = {},
): Promise<Subscription> {
  await creationWorks(context);
  const created = await sendCreation(context, wish, options);
  if (!succeeded(created.exchange)) {
    if (isRateLimited(context, created.exchange))
      throw new NotVerified('the creation of a subscription was refused for its rate');
    await requireTwin(context);
    throw new PromiseBroken(
      'a subscription to be created (code 0)',
      describeAnswer(created.exchange),
      created.exchange,
    );
  }
  return { ...created, id: identify(context, created.exchange) };
}

/** There may be as many subscriptions as a deployment takes, or the session may have ended: then the plainest one is refused too. */
async function requireTwin(context: Context): Promise<void> {
  const { exchange } = await sendCreation(context);
  if (!succeeded(exchange))
    throw new NotVerified(
      `not even a plain subscription can be created any more (${describeAnswer(exchange)})`,
    );
}

/** The plainest subscription: the twin that must pass before anything is made of another one's refusal. */
export function firstSubscription(context: Context): Promise<Subscription> {
  return once(context, createFirstSubscription);
}

async function createFirstSubscription(context: Context): Promise<Subscription> {
  if (context.siteId === undefined) throw new NotVerified('no site is known; set SITEPUB_SITE_ID');
  const plain = await sendCreation(context);
  const created = succeeded(plain.exchange)
    ? plain
    : ((await createElsewhere(context, plain.exchange)) ?? (await createWithSecret(context)));
  if (created) return { ...created, id: identify(context, created.exchange) };
  throw await unusable(context, plain.exchange);
}

/** Which addresses are taken is left open: a deployment may refuse the receiver's, and take one of anybody else. */
async function createElsewhere(
  context: Context,
  refusal: Exchange,
): Promise<Omit<Subscription, 'id'> | undefined> {
  if (!context.receiver) return undefined;
  const created = await sendCreation(context, { url: nobodysUrl(nextPath(context)) });
  if (!succeeded(created.exchange)) return undefined;
  context.isReceiverRefused = true;
  context.unreached =
    "the deployment takes no subscription to the suite's receiver; give another --receiver-url";
  context.notes.push(
    context.secrets.redact(
      `the deployment takes no subscription to the suite's receiver at ${context.receiver.urlOf('')} (${describeAnswer(refusal)}); no push can be seen`,
    ),
  );
  return created;
}

/** A deployment that breaks HOOK-2 wants a secret: with one, the run can go on and show it. */
async function createWithSecret(context: Context): Promise<Omit<Subscription, 'id'> | undefined> {
  const secret = newSecret(context);
  const created = await sendCreation(context, { secret });
  if (!succeeded(created.exchange)) return undefined;
  context.plainSecret = secret;
  return created;
}

/** Throws NotVerified where not even the plainest subscription can be created: that is HOOK-1's matter. */
export async function creationWorks(context: Context): Promise<void> {
  try {
    await firstSubscription(context);
  } catch (error) {
    throw error instanceof PromiseBroken
      ? new NotVerified('no subscription can be created; see HOOK-1')
      : error;
  }
}

/** That a channel or a secret is refused is not the push's matter. */
export async function subscribeForPush(
  context: Context,
  wish: SubscriptionRequest,
  options: CallOptions = {},
): Promise<Subscription> {
  try {
    return await subscribe(context, wish, options);
  } catch (error) {
    throw error instanceof PromiseBroken
      ? new NotVerified(`a subscription to push to can't be created (${error.actual}); see HOOK-2 and HOOK-3`)
      : error;
  }
}

function identify({ profile }: Context, { values }: Exchange): unknown {
  if (values.id !== undefined) return values.id;
  const pointer = profile.values['subscription.response.id'];
  throw new NotVerified(
    `no subscription identifier at ${pointer}; state subscription.response.id in a profile`,
  );
}

/** A refusal that may be about the names in the request says nothing; any other breaks HOOK-1. */
async function unusable(context: Context, exchange: Exchange): Promise<Error> {
  if (isRateLimited(context, exchange))
    return new NotVerified('the creation of a subscription was refused for its rate');
  const answer = describeAnswer(exchange);
  const blamed = await attributeCreationRefusal(context);
  if (blamed !== 'HOOK-1')
    return new NotVerified(`the creation of a subscription was refused (${answer}); see ${blamed}`);
  if (await mayBeMisnamed(context, exchange))
    return new NotVerified(
      `the creation of a subscription was refused (${answer}) as one without its fields is; state their names in the profile (subscription.request.url, .events, .channel)`,
    );
  if (!context.receiver)
    return new NotVerified(
      `the creation of a subscription was refused (${answer}), perhaps for its receiving URL, which is nobody's; give --receiver-listen and --receiver-url`,
    );
  return new PromiseBroken('a subscription to be created (code 0)', answer, exchange);
}
