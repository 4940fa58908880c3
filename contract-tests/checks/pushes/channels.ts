import { chatChannels, type Robot } from '../../../openapi/event-names.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { describePush } from '../../push-receiver/read-push.ts';
import { messageType, robotComplaint, robotFacts } from './robot-rules.ts';
import { pushesOn, type SeenPush } from './seen-pushes.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver'];

/** Pushes on the chat channels: the robots of those products must accept them. Their texts are not checked. */
export const chatMessages: readonly Check[] = chatChannels.map((channel) => ({
  id: chatMessageId(channel),
  requirement: robotFacts[channel].requirement,
  needs,
  run: async (context) => {
    const signed = await settle(() => pushesOn(context, { channel, signed: true }));
    const unsigned = await settle(() => pushesOn(context, { channel, signed: false }));
    if (signed.error && unsigned.error) throw signed.error;
    for (const push of [signed, unsigned].flatMap((seen) => (seen.error ? [] : seen.value())))
      requireRobotAccepts(context, channel, push);
  },
}));

export function chatMessageId(channel: Robot): string {
  return `${robotFacts[channel].requirement.toLowerCase()}-${channel}-robot-takes-it`;
}

/**
 * Throws PromiseBroken unless the robot of a channel would accept a message. What a test message looks like is not shown, so one of another
 * type than the events' is no drift.
 */
export function requireRobotAccepts(
  { observations, profile }: Context,
  channel: Robot,
  push: SeenPush,
): void {
  const complaint = robotComplaint(channel, push);
  if (complaint !== undefined)
    throw new PromiseBroken(
      `a message that the ${channel} robot accepts`,
      `${complaint}; the push: ${describePush(push)}`,
    );
  const type = String(messageType(push));
  if (push.about === 'event' || type === profile.values[`channel.${channel}`])
    observations.compare(`channel.${channel}`, type);
}
