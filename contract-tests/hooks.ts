// Subscriptions that the run makes, and the pushes that come of them.
import { type CallOptions, type Context, call, type Leftover, once } from './context.ts';
import { describeAnswer, type Exchange, succeeded } from './exchange.ts';
import { isRateLimited } from './expect.ts';
import { NotVerified, PromiseBroken } from './outcomes.ts';
import { firstChosen } from './read-push.ts';
import type { Push } from './receiver.ts';
import { otherSession, sessionToken } from './session.ts';

/** What a subscription is asked to be; what is left out is the plain choice. */
export interface Wish {
  url?: unknown;
  events?: unknown;
  channel?: unknown;
  secret?: string;
  siteID?: unknown;
}

/** A subscription as it was created; `path` is where its pushes arrive at the receiver. */
export interface Subscription {
  id: unknown;
  path: string;
  exchange: Exchange;
  siteID: unknown;
  secret: string | undefined;
}

/** How long a push may take to arrive, in milliseconds. */
export const arrivalMs = 5_000;

const plainEvents = [firstChosen, 'publish.complete'];

/** Sends a creation with an address of its own; the answer is the caller's to judge. */
export async function sendCreation(
  context: Context,
  wish: Wish = {},
  options: CallOptions = {},
): Promise<Omit<Subscription, 'id'>> {
  const path = nextPath(context);
  const siteID = wish.siteID ?? context.siteId;
  const values = { url: hookUrl(context, path), events: plainEvents, channel: 'custom', ...wish, siteID };
  const token = options.token === undefined ? await sessionToken(context) : options.token;
  const exchange = await call(context, 'createSubscription', { values, ...options, token });
  if (succeeded(exchange)) remember(context, exchange, { siteID, url: values.url });
  return { path, exchange, siteID, secret: wish.secret };
}

/** Creates a subscription. Once one creation has passed, the names in the request are right and a refusal is a broken promise. */
export async function subscribe(
  context: Context,
  wish: Wish = {},
  options: CallOptions = {},
): Promise<Subscription> {
  await creationWorks(context);
  const created = await sendCreation(context, wish, options);
  if (!succeeded(created.exchange)) {
    if (isRateLimited(context, created.exchange))
      throw new NotVerified('the creation of a subscription was refused for its rate');
    throw new PromiseBroken(
      'a subscription to be created (code 0)',
      describeAnswer(created.exchange),
      created.exchange,
    );
  }
  return { ...created, id: identify(context, created.exchange) };
}

/** The plainest subscription: the twin that must pass before anything is made of another one's refusal. */
export function firstSubscription(context: Context): Promise<Subscription> {
  return once(context, 'first subscription', async () => {
    if (context.siteId === undefined) throw new NotVerified('no site is known; set SITEPUB_SITE_ID');
    const created = await sendCreation(context);
    if (succeeded(created.exchange)) return { ...created, id: identify(context, created.exchange) };
    throw unusable(context, created.exchange);
  });
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

/** Asks for a test push; the answer is the caller's to judge. */
export async function sendTest(
  context: Context,
  { id, siteID }: Pick<Subscription, 'id' | 'siteID'>,
  options: CallOptions = {},
): Promise<Exchange> {
  const token = options.token === undefined ? await sessionToken(context) : options.token;
  return call(context, 'testSubscription', {
    values: { id, siteID, event: plainEvents[0] },
    ...options,
    token,
  });
}

/** A test push on a channel, with a signing secret or without; each kind is made once a run. */
export function testPush(
  context: Context,
  { channel, signed }: { channel: string; signed: boolean },
): Promise<Push & { secret: string }> {
  return once(context, `test push ${channel} ${signed}`, async () => {
    const secret = `suite-${context.runId}-${channel}-s3cr3t`;
    const subscription = await subscribe(context, signed ? { channel, secret } : { channel });
    const push = await arrivalOfTest(context, subscription);
    if (!push)
      throw new NotVerified(
        `no test push arrived on the ${channel} channel within ${arrivalMs / 1000} s; see HOOK-10`,
      );
    return { ...push, secret };
  });
}

/** Tests a subscription and waits for the push; undefined when none was seen in time. */
export async function arrivalOfTest(context: Context, subscription: Subscription): Promise<Push | undefined> {
  if (!context.receiver) throw new NotVerified('there is no receiver that the deployment can reach');
  const exchange = await sendTest(context, subscription);
  if (!succeeded(exchange))
    throw new NotVerified(
      `the test of a subscription was refused (${describeAnswer(exchange)}); see HOOK-10`,
    );
  return context.receiver.waitFor(subscription.path, arrivalMs);
}

/** Takes away what the run created, where the profile says how; what stays is listed. */
export async function cleanUp(context: Context): Promise<void> {
  if (!context.operations.has('deleteSubscription')) return;
  for (const leftover of [...context.leftovers].reverse()) {
    const deleted = await call(context, 'deleteSubscription', {
      values: { siteID: leftover.site, subscriptionID: leftover.id },
      token: await tokenFor(context, leftover),
    });
    if (succeeded(deleted)) context.leftovers.splice(context.leftovers.indexOf(leftover), 1);
  }
}

async function tokenFor(context: Context, { site }: Leftover): Promise<string> {
  return site === context.options.other?.siteId ? (await otherSession(context)).token : sessionToken(context);
}

function remember(
  context: Context,
  exchange: Exchange,
  { siteID, url }: { siteID: unknown; url: unknown },
): void {
  context.leftovers.push({ what: 'subscription', id: exchange.values.id, site: siteID, target: String(url) });
}

function identify({ profile }: Context, { values }: Exchange): unknown {
  if (values.id !== undefined) return values.id;
  const pointer = profile.values['subscription.response.id'];
  throw new NotVerified(
    `no subscription identifier at ${pointer}; state subscription.response.id in a profile`,
  );
}

const requestFields = ['url', 'events', 'channel'].map((name) => `subscription.request.${name}`);

/** With guessed names a refusal says nothing; with stated ones it breaks HOOK-1, and the others can't be verified. */
function unusable(context: Context, exchange: Exchange): Error {
  if (isRateLimited(context, exchange))
    return new NotVerified('the creation of a subscription was refused for its rate');
  const guessed = requestFields.filter((gap) => !context.profile.stated.has(gap));
  const answer = describeAnswer(exchange);
  if (guessed.length === 0)
    return new PromiseBroken('a subscription to be created (code 0)', answer, exchange);
  return new NotVerified(
    `the creation of a subscription was refused (${answer}), perhaps for its field names; state ${guessed.join(', ')} in a profile`,
  );
}

function nextPath(context: Context): string {
  const count = context.exchanges.filter(({ operation }) => operation === 'createSubscription').length;
  return `/sitepub/${context.runId}/${count + 1}`;
}

/** Where there is no receiver, an address that belongs to nobody stands in (RFC 2606). */
function hookUrl({ receiver }: Context, path: string): string {
  return receiver?.urlOf(path) ?? `https://hooks.example.com${path}`;
}
