// All pushes of a run that bear witness to what a push looks like: the test pushes, and those of the event scene.
import type { Channel } from '../openapi/generated/types.ts';
import type { Context } from './context.ts';
import type { Subscription } from './hook-calls.ts';
import { testPush } from './hooks.ts';
import { keep } from './keep.ts';
import { NotVerified } from './outcomes.ts';
import type { Push } from './receiver.ts';
import { eventScene, type Scene } from './scene.ts';

/** A push that was seen. `about` says whether an event or a test call caused it. */
export interface SeenPush extends Push {
  about: 'event' | 'test';
  channel: Channel;
  /** The subscription's secret. */
  secret: string | undefined;
}

/** The pushes on a channel, signed ones or unsigned ones. Throws NotVerified where there is none. */
export async function pushesOn(
  context: Context,
  { channel, signed }: { channel: Channel; signed: boolean },
): Promise<SeenPush[]> {
  const test = await keep(() => testPush(context, { channel, signed }));
  const scene = await keep(() => eventScene(context));
  const ofTest = test.error
    ? []
    : [test.value()].map((push) => ({ ...push, about: 'test' as const, channel }));
  const ofEvents = scene.error ? [] : pushesOf(context, subscriptionsOn(scene.value(), channel));
  const seen = [
    ...ofTest.map((push) => ({ ...push, secret: signed ? push.secret : undefined })),
    ...ofEvents.map((push) => ({ ...push, channel })),
  ].filter(({ secret }) => (secret !== undefined) === signed);
  if (seen.length === 0) throw test.error ?? new NotVerified('no push was seen');
  return seen;
}

function subscriptionsOn({ only, all, chat }: Scene, channel: Channel): Subscription[] {
  const kept = channel === 'custom' ? [...only.values(), ...all] : [chat.get(channel)];
  return kept.flatMap((one) => (one && !one.error ? [one.value()] : []));
}

function pushesOf(
  { receiver }: Context,
  subscriptions: readonly Subscription[],
): Omit<SeenPush, 'channel'>[] {
  return subscriptions.flatMap(({ path, secret }) =>
    (receiver?.pushesTo(path) ?? []).map((push) => ({ ...push, about: 'event' as const, secret })),
  );
}
