// All pushes of a run that show what a push looks like: the test pushes, and those of the event run.
import type { Channel } from '../../../openapi/generated/types.ts';
import { listSites } from '../../calls/sites.ts';
import { type Context, once } from '../../context.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { isSameId } from '../../core/parse-json.ts';
import { type Settled, settle } from '../../core/settled.ts';
import { type EventRun, eventRun } from '../../events/event-run.ts';
import { eventsOnNewSites } from '../../events/new-sites.ts';
import { saysTheSame } from '../../push-receiver/attempts.ts';
import { pushesOfKind } from '../../push-receiver/caused-pushes.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { bodyOf, siteIdOf } from '../../push-receiver/read-push.ts';
import { customSubscriptionNames } from '../../subscriptions/shared-subscriptions.ts';
import { customTest, testOf, testPush } from '../../subscriptions/shared-tests.ts';
import type { Subscription } from '../../subscriptions/subscription-calls.ts';
import { arrivalOfTest } from '../../subscriptions/test-messages.ts';

/** A push that was seen. `about` says whether an event or a test call caused it. */
export interface SeenPush extends Push {
  about: 'event' | 'test';
  channel: Channel;
  /** The subscription's secret. */
  secret: string | undefined;
  /** The subscription's site. */
  siteID: unknown;
}

/** The `prepare` of checks that look at events or at retries. */
export async function beginEventRun(context: Context): Promise<void> {
  await eventRun(context);
}

/** The pushes to a subscription so far; none where it could not be created. */
export function pushesTo(
  { receiver }: Context,
  subscription: Settled<Subscription> | undefined,
): readonly Push[] {
  if (!subscription || subscription.error) return [];
  return receiver?.pushesTo(subscription.value().path) ?? [];
}

/** Those of them that are events. */
export function eventsTo(context: Context, subscription: Settled<Subscription> | undefined): readonly Push[] {
  return !subscription || subscription.error ? [] : pushesOfKind(context, subscription.value().path, 'event');
}

interface Kind {
  channel: Channel;
  signed: boolean;
}

/** The pushes on a channel, signed ones or unsigned ones. Throws NotVerified where there is none. */
export async function pushesOn(context: Context, kind: Kind): Promise<SeenPush[]> {
  const { channel } = kind;
  const plain = await settle(() => testPush(context, kind));
  const tests = await testsOn(context, kind);
  const run = await settle(() => eventRun(context));
  const { name } = (await once(context, listSites)).find(({ id }) => isSameId(id, context.siteId)) ?? {};
  const events = run.error
    ? []
    : eventsOn(context, run.value(), channel).filter((push) => !isAboutAnotherSite(push, name));
  // A test message that comes twice is still one.
  const ofEvents = events.filter((push) => !tests.some((test) => test.body.equals(push.body)));
  const onNewSites = channel === 'custom' ? await eventsAtNewSites(context) : [];
  const seen = [...tests, ...ofEvents, ...onNewSites].filter(
    ({ secret }) => (secret !== undefined) === kind.signed,
  );
  if (seen.length === 0) throw plain.error ?? new NotVerified('no push was seen');
  return seen;
}

async function testsOn(context: Context, kind: Kind): Promise<SeenPush[]> {
  const { channel, signed } = kind;
  const plain = () => testOf(context, kind);
  const others = customSubscriptionNames.map((name) => () => customTest(context, name));
  const seen: SeenPush[] = [];
  for (const begin of channel === 'custom' && signed ? [plain, ...others] : [plain]) {
    const test = await settle(begin);
    const push = test.error ? undefined : await arrivalOfTest(context, test.value());
    if (!push) continue;
    const { secret, siteID } = test.value().subscription;
    seen.push({ ...push, about: 'test', channel, secret: signed ? secret : undefined, siteID });
  }
  return seen;
}

/** The run has one subscription on each new site: what comes elsewhere as well is about another site, which EVENT-13 covers. */
async function eventsAtNewSites(context: Context): Promise<SeenPush[]> {
  const every = context.receiver?.everyPush() ?? [];
  return (await eventsOnNewSites(context)).flatMap(({ subscription: { path, secret, siteID } }) =>
    pushesOfKind(context, path, 'event')
      .filter((push) => !every.some((other) => other.path !== path && saysTheSame(other, push)))
      .map((push) => ({ ...push, about: 'event' as const, channel: 'custom' as const, secret, siteID })),
  );
}

/** A push about another site came here by mistake; EVENT-13 covers that. */
function isAboutAnotherSite(push: SeenPush, siteName: unknown): boolean {
  const { site_name } = Object(bodyOf(push)) as { site_name?: unknown };
  const siteId = siteIdOf(push);
  return (
    siteId !== undefined &&
    !isSameId(siteId, push.siteID) &&
    typeof siteName === 'string' &&
    typeof site_name === 'string' &&
    site_name !== siteName
  );
}

function eventsOn(context: Context, run: EventRun, channel: Channel): SeenPush[] {
  const { only, all, some, chat, chatOnly } = run;
  const subscriptions =
    channel === 'custom'
      ? new Set([...only.values(), ...[...all, ...some].map(({ subscription }) => subscription)])
      : [chat.get(channel), chatOnly.get(channel)?.subscription];
  return [...subscriptions].flatMap((subscription) => {
    if (!subscription || subscription.error) return [];
    const { secret, siteID } = subscription.value();
    const pushes = eventsTo(context, subscription);
    return pushes.map((push) => ({ ...push, about: 'event' as const, channel, secret, siteID }));
  });
}
