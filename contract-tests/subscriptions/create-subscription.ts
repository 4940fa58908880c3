// Creates subscriptions, and decides what a refusal means.

import type { CallOptions } from '../calls/call.ts';
import { requireNotLimited } from '../calls/expect-answer.ts';
import { untilAccepted } from '../calls/look-again.ts';
import { callToEnd } from '../calls/profile-calls.ts';
import { type Context, once, oncePerRun } from '../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified, PromiseBroken, type RefusalTrial, WronglyRefused } from '../core/outcomes.ts';
import { settle } from '../core/settled.ts';
import { attributeCreationRefusal, mayBeMisnamed } from './attribute-refusal.ts';
import { requireFew } from './left-behind.ts';
import { newOddSecret, type SecretShape } from './odd-secrets.ts';
import { createWithOtherSecret } from './other-secrets.ts';
import { noteCreated } from './room.ts';
import { formCount, newSecret, secretOf } from './secret-forms.ts';
import {
  exampleUrl,
  nextPath,
  type Subscription,
  type SubscriptionRequest,
  sendCreation,
} from './subscription-calls.ts';

type Sent = Omit<Subscription, 'id'>;

/** Creates a subscription. After one creation has succeeded, the names in the request are right, and a refusal breaks a promise. */
export async function subscribe(
  context: Context,
  request: SubscriptionRequest = {},
  options: CallOptions = {},
): Promise<Subscription> {
  await requireFirstSubscription(context);
  requireFew(context);
  const send = () => sendCreation(context, request, options);
  const first = await (options.token === undefined ? send() : createAtLast(context, send));
  const created = succeeded(first.exchange)
    ? first
    : ((await createWithOtherSecret(context, request, options)) ?? (await createAgain(context, first, send)));
  return { ...created, id: idOf(context, created.exchange) };
}

/** A refusal counts only where a plain creation passes, and the same one is refused after that as well: the first may have been chance. */
async function createAgain(context: Context, { exchange }: Sent, send: () => Promise<Sent>): Promise<Sent> {
  requireNotLimited(context, exchange, 'the creation of a subscription');
  await requirePlainCreation(context);
  const again = await send();
  if (succeeded(again.exchange)) return again;
  const trial = refusalTrial(context, send);
  throw new WronglyRefused('a subscription to be created (code 0)', again.exchange, trial);
}

/** Makes room as it goes, where a site takes a few subscriptions only. */
function refusalTrial(context: Context, send: () => Promise<Sent>): RefusalTrial {
  return {
    again: async () => (await send()).exchange,
    plain: async () => (await sendCreation(context)).exchange,
  };
}

/** The deployment may accept no more subscriptions, or the session may have ended: then it refuses the plainest one too. */
async function requirePlainCreation(context: Context): Promise<void> {
  const { exchange } = await sendCreation(context);
  if (!succeeded(exchange))
    throw new NotVerified(
      `not even a plain subscription can be created any more (${describeAnswer(exchange)})${await describeOthers(context)}`,
    );
}

/** Looks again where a creation is refused. */
async function createAtLast<T extends { exchange: Exchange }>(
  context: Context,
  send: () => Promise<T>,
): Promise<T> {
  const sent: T[] = [];
  await untilAccepted(context, async () => {
    const created = await send();
    sent.unshift(created);
    return created.exchange;
  });
  return sent[0] ?? send();
}

/** The plainest subscription. Its creation must succeed before the refusal of another one means anything. */
export const firstSubscription = oncePerRun(createFirstSubscription);

async function createFirstSubscription(context: Context): Promise<Subscription> {
  if (context.siteId === undefined) throw new NotVerified('no site is known; set SITEPUB_SITE_ID');
  // The session may be so new that it is not known everywhere.
  const plain = await createAtLast(context, () => sendCreation(context));
  const created = succeeded(plain.exchange)
    ? plain
    : ((await createElsewhere(context, plain.exchange)) ?? (await createWithSecret(context)));
  if (created) {
    const first = { ...created, id: idOf(context, created.exchange) };
    noteCreated(context, first, { until: Number.POSITIVE_INFINITY });
    return first;
  }
  throw await errorOfRefusal(context, plain.exchange);
}

/** The document leaves open which addresses are accepted: a deployment may refuse the receiver's, and accept others. */
async function createElsewhere(
  context: Context,
  refusal: Exchange,
): Promise<Omit<Subscription, 'id'> | undefined> {
  if (!context.receiver) return undefined;
  const created = await sendCreation(context, { url: exampleUrl(nextPath(context)) });
  if (!succeeded(created.exchange)) return undefined;
  context.isReceiverRefused = true;
  context.unreached =
    "the deployment accepts no subscription to the suite's receiver; give another --receiver-url";
  context.notes.push(
    context.secrets.redact(
      `the deployment accepts no subscription to the suite's receiver at ${context.receiver.urlOf('')} (${describeAnswer(refusal)}); no push can be seen`,
    ),
  );
  return created;
}

/** A deployment that breaks HOOK-2 requires a secret: with one, the run can go on and show that. */
async function createWithSecret(context: Context): Promise<Omit<Subscription, 'id'> | undefined> {
  for (let form = 0; form < formCount; form++) {
    const secret = secretOf(context, form);
    const created = await sendCreation(context, { secret });
    if (!succeeded(created.exchange)) continue;
    // What was refused first may have been the session, which has been renewed since. As it is meant to be refused, it makes no room.
    const plain = await sendCreation(context, {}, { spoil: (body) => body });
    if (succeeded(plain.exchange)) return plain;
    context.plainSecret = secret;
    context.secretForm = form;
    return created;
  }
  return undefined;
}

/** The same for other promises: throws NotVerified where it can't be created, for HOOK-1 fails that. */
export async function requireFirstSubscription(context: Context): Promise<Subscription> {
  try {
    return await firstSubscription(context);
  } catch (error) {
    throw error instanceof PromiseBroken
      ? new NotVerified('no subscription can be created; see HOOK-1')
      : error;
  }
}

/** The same for checks of pushes: throws NotVerified where a channel or a secret is refused. */
export async function subscribeForPush(
  context: Context,
  request: SubscriptionRequest,
  options: CallOptions = {},
): Promise<Subscription> {
  try {
    return await subscribe(context, request, options);
  } catch (error) {
    throw error instanceof PromiseBroken
      ? new NotVerified(
          `the run cannot create the subscription for the push (${error.actual}); see HOOK-2 and HOOK-3`,
        )
      : error;
  }
}

/**
 * Creates a subscription with a secret of an unusual shape, or with a plain one where the deployment refuses that: the document leaves open
 * which secrets are accepted. It must sign with those that it accepts, as they were sent. Each creation has an address of its own.
 */
export async function withOddSecret(
  context: Context,
  shape: SecretShape,
  create: (secret: string) => Promise<Subscription>,
): Promise<Subscription> {
  const { error, value } = await settle(() => create(newOddSecret(context, shape)));
  return error instanceof PromiseBroken ? create(newSecret(context)) : value();
}

function idOf({ profile }: Context, { values }: Exchange): unknown {
  if (values.id !== undefined) return values.id;
  const pointer = profile.values['subscription.response.id'];
  throw new NotVerified(
    `no subscription identifier at ${pointer}; state subscription.response.id in a profile`,
  );
}

/** The verdict on a refused creation. It breaks HOOK-1 unless another promise, or the names in the request, may be the reason. */
async function errorOfRefusal(context: Context, exchange: Exchange): Promise<Error> {
  requireNotLimited(context, exchange, 'the creation of a subscription');
  const answer = describeAnswer(exchange);
  const requirement = await attributeCreationRefusal(context);
  if (requirement !== 'HOOK-1')
    return new NotVerified(`the creation of a subscription was refused (${answer}); see ${requirement}`);
  if (await mayBeMisnamed(context, exchange))
    return new NotVerified(
      `the creation of a subscription was refused (${answer}) in the same way as one without its fields; state their names in the profile (subscription.request.url, .events, .channel)`,
    );
  if (exchange.response.status < 500)
    return new NotVerified(
      `the creation of a subscription was refused (${answer}), perhaps because of its receiving URL or a quota of the site${await describeOthers(context)}; give --receiver-listen and a --receiver-url that the deployment accepts`,
    );
  return new WronglyRefused('a subscription to be created (code 0)', exchange);
}

/** How many subscriptions of other runs are on the site, as far as its list shows. They are not this run's to delete. */
async function describeOthers(context: Context): Promise<string> {
  const count = await once(context, countOthers);
  return count === 0
    ? ''
    : `; ${count} subscriptions of earlier runs are left on the site: delete them with sitepub cleanup`;
}

async function countOthers(context: Context): Promise<number> {
  const listed = await settle(() => callToEnd(context, 'listSubscriptions'));
  const { list } = listed.error ? {} : (listed.value().values as { list?: unknown });
  if (!Array.isArray(list)) return 0;
  const urls = (list as { url?: unknown }[]).map(({ url }) => String(url));
  return urls.filter((url) => /\/sitepub\/[0-9a-f]{8}\//.test(url) && !url.includes(context.runId)).length;
}
