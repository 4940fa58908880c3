// Finds out once whether pushes can arrive at all, before their absence means anything.
import { randomUUID } from 'node:crypto';
import { eventNames } from '../../openapi/event-names.ts';
import { untilAccepted } from '../calls/look-again.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../core/ending.ts';
import { settle } from '../core/settled.ts';
import { explainLoss } from '../deployment/explain-loss.ts';
import { createSender } from '../deployment/http-client.ts';
import { awaitGreeting } from '../push-receiver/caused-pushes.ts';
import { probePath, type Receiver } from '../push-receiver/push-receiver.ts';
import { arrivalMs, comesWithin, patienceMs } from '../push-receiver/wait-for-push.ts';
import { requireFirstSubscription, subscribeForPush } from '../subscriptions/create-subscription.ts';
import { staysBehind } from '../subscriptions/left-behind.ts';
import { newSecret } from '../subscriptions/secret-forms.ts';
import { customSubscription } from '../subscriptions/shared-subscriptions.ts';
import { sendTest } from '../subscriptions/subscription-calls.ts';
import { causableEvents, causeApart } from './event-triggers.ts';

/** Makes a push arrive; where none does, sets `unreached` of the context and adds a note. */
export async function checkReceiverReachability(context: Context): Promise<void> {
  const { receiver } = context;
  if (!receiver) return;
  // This also finds out whether the receiver's address is refused. Where nothing can be subscribed, each check reports that.
  await settle(() => requireFirstSubscription(context));
  if (context.unreached !== undefined) return;
  const problem = (await wrongAddress(context, receiver)) ?? (await noArrival(context, receiver));
  if (problem === undefined) return;
  context.unreached =
    "no push reaches the suite's receiver; give --receiver-listen and --receiver-url so that the deployment reaches it";
  context.notes.push(context.secrets.redact(problem));
}

/** The problem of a public address that does not lead to the receiver. */
async function wrongAddress({ options, ending }: Context, receiver: Receiver): Promise<string | undefined> {
  if (options.receiver.url === undefined) return undefined;
  const nonce = randomUUID();
  const problem = await probe(`${receiver.urlOf(probePath)}${nonce}`, nonce, ending);
  return (
    problem &&
    `--receiver-url ${options.receiver.url} does not lead to the suite's receiver (${problem}); no push can be seen`
  );
}

/** How long the answer of a public address may take, in milliseconds. */
const probeMs = 10_000;

async function probe(url: string, nonce: string, ending: Ending): Promise<string | undefined> {
  try {
    const send = createSender({ baseUrl: url }, probeMs, ending);
    const { status, text } = await send({ method: 'POST', url, headers: {}, body: undefined });
    return text.includes(nonce) ? undefined : `it answered ${status}, but not from the suite's receiver`;
  } catch (error) {
    return explainLoss(error, undefined).reason;
  }
}

async function noArrival(context: Context, receiver: Receiver): Promise<string | undefined> {
  if (await isReached(context, receiver)) return undefined;
  const seconds = patienceMs(context) / 1_000;
  return `no push has reached the suite's receiver at ${receiver.urlOf('')} within ${seconds} s: the deployment cannot reach it, or sends nothing at all`;
}

/** A test push is enough, or else a push of any event: checks decide which of the two must come. */
async function isReached(context: Context, receiver: Receiver): Promise<boolean> {
  // Whether a target with a secret is greeted tells that of any other as well.
  const secret = newSecret(context);
  const signed = staysBehind(context)
    ? await customSubscription(context, 'with-query')
    : await settle(() => subscribeForPush(context, { events: [...eventNames], secret }));
  const subscribed = signed.error
    ? await settle(() => subscribeForPush(context, { events: [...eventNames] }))
    : signed;
  // Where nothing can be subscribed, each check reports that.
  if (subscribed.error) return true;
  const subscription = subscribed.value();
  await awaitGreeting(context, subscription.path);
  await settle(() => untilAccepted(context, () => sendTest(context, subscription)));
  const hasCome = () => receiver.wasReached();
  if (await comesWithin(context, hasCome, arrivalMs(context))) return true;
  const [event] = causableEvents(context);
  if (event) await settle(() => causeApart(context, event));
  return comesWithin(context, hasCome, patienceMs(context));
}
