import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { describePush } from '../../push-receiver/read-push.ts';
import { messageType, type Robot, robotComplaint } from './robot-rules.ts';
import { pushesOn } from './seen-pushes.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver'];

export const requirementOfChannel: Readonly<Record<Robot, string>> = {
  wecom: 'CHAN-1',
  dingtalk: 'CHAN-2',
  feishu: 'CHAN-3',
};

/** Pushes on the chat channels: the robots of those products must take them. The texts are nobody's matter. */
export const chatMessages: readonly Check[] = (Object.keys(requirementOfChannel) as Robot[]).map(
  (channel) => ({
    id: `${requirementOfChannel[channel].toLowerCase()}-${channel}-robot-takes-it`,
    requirement: requirementOfChannel[channel],
    needs,
    run: async (context: Context) => {
      const unsigned = await settle(() => pushesOn(context, { channel, signed: false }));
      const pushes = await pushesOn(context, { channel, signed: true });
      for (const push of [...pushes, ...(unsigned.error ? [] : unsigned.value())]) {
        const complaint = robotComplaint(channel, push);
        if (complaint !== undefined)
          throw new PromiseBroken(
            `a message that the robot of ${channel} takes: ${complaint}`,
            describePush(push),
          );
        context.observations.compare(`channel.${channel}`, String(messageType(push)));
      }
    },
  }),
);

/** Throws PromiseBroken unless the robot of a channel would take a message. */
export function requireTaken({ observations }: Context, channel: Robot, push: Push): void {
  const complaint = robotComplaint(channel, push);
  if (complaint !== undefined)
    throw new PromiseBroken(`a message that the robot of ${channel} takes: ${complaint}`, describePush(push));
  observations.compare(`channel.${channel}`, String(messageType(push)));
}
