import { setTimeout as sleep } from 'node:timers/promises';
import type { Scheduler } from '../clock/scheduler.ts';
import type { Message, Reply, Sender, Target } from '../webhooks/send.ts';
import type { Variations } from './variations.ts';

/** A sender that delays and repeats attempts as the variations say. The scheduler waits for the repetitions too. */
export function varySending(
  sender: Sender,
  variations: Variations,
  scheduler: Pick<Scheduler, 'track'>,
): Sender {
  async function send(target: Target, makeMessage: () => Message | undefined): Promise<Reply | undefined> {
    const delay = variations.pushDelay(target.attempt);
    if (delay > 0) await sleep(delay);
    let message: Message | undefined;
    const reply = await sender.send(target, () => {
      const made = makeMessage();
      if (!made) return undefined;
      message = { ...made, headers: variations.pushHeaders(made.headers, target.attempt) };
      return message;
    });
    const sent = message;
    // A copy of an unanswered push would only delay the scheduler.
    if (sent && reply && 'status' in reply && variations.isSentTwice(target.attempt))
      void scheduler.track(sender.send(target, () => sent));
    return reply;
  }

  return { ...sender, send };
}
