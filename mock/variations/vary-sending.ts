import { setTimeout as sleep } from 'node:timers/promises';
import type { Scheduler } from '../clock/scheduler.ts';
import type { Message, Reply, Sender, Target } from '../webhooks/send.ts';
import type { Variations } from './variations.ts';

/** A sender that holds attempts back and repeats them as the variations say. Whoever waits until all is settled waits for that too. */
export function varySending(
  sender: Sender,
  variations: Variations,
  timekeeper: Pick<Scheduler, 'track'>,
): Sender {
  async function send(target: Target, makeMessage: () => Message): Promise<Reply> {
    const delay = variations.pushDelay(target.attempt);
    if (delay > 0) await sleep(delay);
    let message: Message | undefined;
    const reply = await sender.send(target, () => {
      message = makeMessage();
      return message;
    });
    const sent = message;
    // The copy of what was not answered would only be waited for.
    if (sent && 'status' in reply && variations.isSentTwice(target.attempt))
      void timekeeper.track(sender.send(target, () => sent));
    return reply;
  }

  return { ...sender, send };
}
