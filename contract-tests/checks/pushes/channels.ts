import { chatChannels } from '../../../openapi/event-names.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { describePush } from '../../push-receiver/read-push.ts';
import { messageType, type Robot, robotComplaint } from './robot-rules.ts';
import { pushesOn } from './seen-pushes.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver'];

const requirementOf: Readonly<Record<Robot, string>> = {
  wecom: 'CHAN-1',
  dingtalk: 'CHAN-2',
  feishu: 'CHAN-3',
};

/** Pushes on the chat channels: the robots of those products must accept them. Their texts are not checked. */
export const chatMessages: readonly Check[] = chatChannels.map((channel) => ({
  id: chatMessageId(channel),
  requirement: requirementOf[channel],
  needs,
  run: async (context) => {
    const unsigned = await settle(() => pushesOn(context, { channel, signed: false }));
    const signed = await pushesOn(context, { channel, signed: true });
    for (const push of [...signed, ...(unsigned.error ? [] : unsigned.value())])
      requireRobotAccepts(context, channel, push);
  },
}));

export function chatMessageId(channel: Robot): string {
  return `${requirementOf[channel].toLowerCase()}-${channel}-robot-takes-it`;
}

/** Throws PromiseBroken unless the robot of a channel would accept a message. */
export function requireRobotAccepts({ observations }: Context, channel: Robot, push: Push): void {
  const complaint = robotComplaint(channel, push);
  if (complaint !== undefined)
    throw new PromiseBroken(
      `a message that the robot of ${channel} accepts: ${complaint}`,
      describePush(push),
    );
  observations.compare(`channel.${channel}`, String(messageType(push)));
}
