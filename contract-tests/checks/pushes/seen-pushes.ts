// All pushes of a run that bear witness to what a push looks like: the test pushes, and those of the event scene.
import type { Channel } from '../../../openapi/generated/types.ts';
import { knownSites } from '../../calls/sites.ts';
import type { Context } from '../../context.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { type Settled, settle } from '../../core/settled.ts';
import { type EventRun, eventRun } from '../../events/event-run.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { bodyOf } from '../../push-receiver/read-push.ts';
import {
  customSubscription,
  customSubscriptionNames,
  customTestPush,
  pushable,
  subscriptionOf,
  testPush,
} from '../../subscriptions/shared-subscriptions.ts';
import type { Subscription } from '../../subscriptions/subscription-calls.ts';

/** A push that was seen. `about` says whether an event or a test call caused it. */
export interface SeenPush extends Push {
  about: 'event' | 'test';
  channel: Channel;
  /** The subscription's secret. */
  secret: string | undefined;
  /** The subscription's site. */
  siteID: unknown;
}

interface Kind {
  channel: Channel;
  signed: boolean;
}

/** The pushes on a channel, signed ones or unsigned ones. Throws NotVerified where there is none. */
export async function pushesOn(context: Context, kind: Kind): Promise<SeenPush[]> {
  const plain = await settle(() => testPush(context, kind));
  const tests = await testsOn(context, kind);
  const scene = await settle(() => eventRun(context));
  const { name } = (await knownSites(context)).find(({ id }) => id === context.siteId) ?? {};
  const events = scene.error
    ? []
    : eventsOn(context, scene.value(), kind.channel).filter((push) => !isAboutAnother(push, name));
  // A test message that comes twice is still one.
  const ofEvents = events.filter((push) => !tests.some((test) => test.body.equals(push.body)));
  const seen = [...tests, ...ofEvents].filter(({ secret }) => (secret !== undefined) === kind.signed);
  if (seen.length === 0) throw plain.error ?? new NotVerified('no push was seen');
  return seen;
}

async function testsOn(context: Context, { channel, signed }: Kind): Promise<SeenPush[]> {
  const names = channel === 'custom' && signed ? customSubscriptionNames : [];
  const plain = await seenTest(
    () => testPush(context, { channel, signed }),
    () => subscriptionOf(context, { channel, signed }),
  );
  const others: SeenPush[] = [];
  for (const name of names)
    others.push(
      ...(await seenTest(
        () => customTestPush(context, name),
        () => customSubscription(context, name),
      )),
    );
  return [...plain, ...others].map((push) => ({
    ...push,
    channel,
    secret: signed ? push.secret : undefined,
  }));
}

async function seenTest(
  test: () => Promise<Push | undefined>,
  subscription: () => Promise<Settled<Subscription>>,
): Promise<SeenPush[]> {
  const kept = await settle(test);
  const push = kept.error ? undefined : kept.value();
  if (!push) return [];
  const { secret, siteID } = pushable(await subscription());
  return [{ ...push, about: 'test', channel: 'custom', secret, siteID }];
}

/** A push that tells of another site has strayed here, which is EVENT-13's matter. */
function isAboutAnother(push: SeenPush, siteName: unknown): boolean {
  const { site_id, site_name } = Object(bodyOf(push)) as { site_id?: unknown; site_name?: unknown };
  return (
    site_id !== undefined &&
    site_id !== push.siteID &&
    typeof siteName === 'string' &&
    typeof site_name === 'string' &&
    site_name !== siteName
  );
}

function eventsOn({ receiver }: Context, scene: EventRun, channel: Channel): SeenPush[] {
  const { only, all, few, chat, chatOnly } = scene;
  const kept =
    channel === 'custom'
      ? [...only.values(), ...[...all, ...few].map((named) => named.kept)]
      : [chat.get(channel), chatOnly.get(channel)?.kept];
  return kept.flatMap((one) => {
    if (!one || one.error) return [];
    const { path, secret, siteID } = one.value();
    const pushes = receiver?.pushesTo(path) ?? [];
    return pushes.map((push) => ({ ...push, about: 'event' as const, channel, secret, siteID }));
  });
}
