import type { Scheduler } from '../clock/scheduler.ts';
import { promiseOf } from '../clock/work.ts';
import type { Message } from '../webhooks/post.ts';
import type { Sender, Sent } from '../webhooks/send.ts';
import type { Variations } from './variations.ts';

/** Delays and repeats attempts; the scheduler also waits for the repetitions. */
export function varySending(
  sender: Sender,
  variations: Variations,
  scheduler: Pick<Scheduler, 'track'>,
): Sender {
  const send: Sender['send'] = (target, makeMessage, done) => {
    const name = `push ${target.push}, attempt ${target.attempt}`;
    let sent: Message | undefined;
    const makeVaried = () => {
      const made = makeMessage();
      if (!made) return undefined;
      sent = { ...made, headers: variations.pushHeaders(made.headers, name) };
      return sent;
    };
    const makeCopy = () => sent;
    const end: Sent = (reply, failure) => {
      // Repeating an unanswered push would only delay the scheduler.
      if (sent && reply && 'status' in reply && variations.isSentTwice(name))
        void scheduler.track(promiseOf((ended) => sender.send(target, makeCopy, () => ended())));
      done(reply, failure);
    };
    const delay = variations.pushDelay(name);
    if (delay > 0) setTimeout(() => sender.send(target, makeVaried, end), delay);
    else sender.send(target, makeVaried, end);
  };

  return { ...sender, send };
}
