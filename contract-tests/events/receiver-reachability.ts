// Whether pushes can arrive at all, found out once, before anything is made of their absence.
import { randomUUID } from 'node:crypto';
import { eventNames } from '../../openapi/event-names.ts';
import { type Context, once } from '../context.ts';
import { NotVerified } from '../core/outcomes.ts';
import { settle } from '../core/settled.ts';
import { probePath, type Receiver } from '../push-receiver/push-receiver.ts';
import { arrivalMs, isThere } from '../push-receiver/wait-for-push.ts';
import { creationWorks, subscribeForPush } from '../subscriptions/create-subscription.ts';
import { sendTest } from '../subscriptions/subscription-calls.ts';
import { causableEvents, eventTriggers } from './event-triggers.ts';

/** Sees to it that a push arrives; where none does, `unreached` of the context says so from then on. */
export function checkReceiverReachability(context: Context): Promise<void> {
  return once(context, requireReachableReceiver);
}

async function requireReachableReceiver(context: Context): Promise<void> {
  const { receiver } = context;
  if (!receiver) return;
  // That nothing can be subscribed is said by each check that needs it; that nothing can to the receiver is known then.
  await settle(() => creationWorks(context));
  if (context.unreached !== undefined) return;
  const problem = (await wrongAddress(context, receiver)) ?? (await noArrival(context, receiver));
  if (problem === undefined) return;
  context.unreached =
    "no push reaches the suite's receiver; give --receiver-listen and --receiver-url so that the deployment reaches it";
  context.notes.push(context.secrets.redact(problem));
}

/** A public address must lead here. */
async function wrongAddress({ options }: Context, receiver: Receiver): Promise<string | undefined> {
  if (options.receiver.url === undefined) return undefined;
  const nonce = randomUUID();
  const problem = await probe(`${receiver.urlOf(probePath)}${nonce}`, nonce);
  return (
    problem &&
    `--receiver-url ${options.receiver.url} does not lead to the suite's receiver (${problem}); no push can be seen`
  );
}

async function probe(url: string, nonce: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    return text.includes(nonce) ? undefined : `it answered ${response.status}, and it was not we who did`;
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    return cause?.message || message;
  }
}

async function noArrival(context: Context, receiver: Receiver): Promise<string | undefined> {
  if (await isReached(context, receiver)) return undefined;
  const seconds = arrivalMs(context) / 1_000;
  return `no push has reached the suite's receiver at ${receiver.urlOf('')} within ${seconds} s: the deployment can't reach it, or sends nothing at all`;
}

/** A test push will do, or else a push of any event: which of the two is missing is a verdict of its own. */
async function isReached(context: Context, receiver: Receiver): Promise<boolean> {
  const subscribed = await settle(() => subscribeForPush(context, { events: [...eventNames] }));
  // That nothing can be subscribed is said by each check that needs it.
  if (subscribed.error) return true;
  const subscription = subscribed.value();
  await settle(() => sendTest(context, subscription));
  const hasCome = () => receiver.wasReached();
  if (await isThere(context, hasCome, arrivalMs(context))) return true;
  const [event] = causableEvents(context);
  if (!event) return false;
  const cause = await settle(() => eventTriggers[event].make(context));
  if (cause.error instanceof NotVerified) return false;
  return isThere(context, hasCome, arrivalMs(context));
}
