import { channels, chatChannels, eventNames } from '../../../openapi/event-names.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { namesItsEvent } from '../../events/chat-event-headers.ts';
import { type EventRun, eventRun } from '../../events/event-run.ts';
import { readUnixTime } from '../../push-receiver/push-format.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { isTimeOf } from '../../push-receiver/push-times.ts';
import {
  bodyOf,
  describePush,
  eventNamed,
  headerOf,
  isNamedByHeader,
} from '../../push-receiver/read-push.ts';
import {
  headerNames,
  missingHeaders,
  presentHeader,
  requireSignature,
  unsignedFormOf,
} from '../../push-receiver/signature.ts';
import { understandsSecret } from '../../subscriptions/attribute-refusal.ts';
import { pushesOn, pushesTo, type SeenPush } from './seen-pushes.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver'];

/** The three headers of a signed push, checked on every push of the run, test pushes included ("every push"). */
export const signatures: readonly Check[] = [
  {
    id: 'sig-1-three-headers',
    requirement: 'SIG-1',
    needs,
    run: async (context) => {
      for (const push of await signedPushes(context, 'custom')) await requireHeaders(context, push);
      await observeUnsigned(context);
    },
  },
  {
    id: 'sig-2-event-header',
    requirement: 'SIG-2',
    needs,
    run: async (context) => {
      const named = (await signedPushes(context, 'custom')).filter(hasName);
      const events = named.filter(({ about }) => about === 'event');
      for (const push of events) requireName(push);
      if (events.length === 0) requireSomeTestName(named);
      await requireChatNames(context);
    },
  },
  {
    id: 'sig-3-timestamp-header',
    requirement: 'SIG-3',
    needs,
    run: async (context) => {
      for (const push of await signedPushes(context, 'custom')) {
        const header = presentHeader(push, 'X-Webhook-Timestamp');
        context.observations.compare('webhook.timestamp-unit', requireNow(context, push, { header }));
      }
      for (const push of await chatPushes(context)) {
        const header = headerOf(push, 'X-Webhook-Timestamp');
        if (header !== undefined) requireNow(context, push, { header });
      }
    },
  },
  {
    id: 'sig-4-signature-over-raw-body',
    requirement: 'SIG-4',
    needs,
    run: (context) => verifySignatures(context, 'custom'),
  },
  ...chatChannels.map<Check>((channel) => ({
    id: `sig-5-${channel}-is-signed`,
    requirement: 'SIG-5',
    needs,
    run: async (context) => {
      for (const push of await signedPushes(context, channel)) await requireHeaders(context, push);
      await verifySignatures(context, channel);
    },
  })),
];

/** Throws PromiseBroken unless a timestamp is the time of the push, or that of the beginning of its delivery. Returns its unit. */
export function requireNow(
  context: Context,
  push: Push,
  { header, startedAt }: { header: string; startedAt?: number },
): 'seconds' | 'milliseconds' {
  const found = readUnixTime(header).find(({ ms }) =>
    isTimeOf(context, push, { time: { from: ms, to: ms }, ...(startedAt !== undefined && { startedAt }) }),
  );
  if (!found)
    throw new PromiseBroken(
      `a current Unix timestamp (${Math.floor(push.at / 1000)} s by the deployment's Date header)`,
      `${JSON.stringify(header)}; the push: ${describePush(push)}`,
    );
  if (!/^\d+$/.test(header)) context.remarks.add('unusual-timestamp', `X-Webhook-Timestamp: ${header}`);
  return found.unit;
}

type Channel = (typeof channels)[number];

/** The signed pushes on the chat channels where any came. */
async function chatPushes(context: Context): Promise<SeenPush[]> {
  const pushes = chatChannels.map((channel) => settle(() => signedPushes(context, channel)));
  return (await Promise.all(pushes)).flatMap((settled) => (settled.error ? [] : settled.value()));
}

/** On a chat channel a header alone names the event. The document does not say which event a test message names. */
async function requireChatNames(context: Context): Promise<void> {
  const run = await settle(() => eventRun(context));
  if (run.error) return;
  for (const push of await chatPushes(context))
    if (push.about === 'event' && headerOf(push, 'X-Webhook-Event') !== undefined) requireSomeName(push);
  for (const channel of chatChannels) requireOwnName(context, run.value(), channel);
}

function requireSomeName(push: SeenPush): void {
  if (eventNamed(push) === undefined)
    throw new PromiseBroken(`one of ${eventNames.join(', ')} in X-Webhook-Event`, describePush(push));
}

/** A push to a subscription to one event names that event. */
function requireOwnName(context: Context, run: EventRun, channel: Channel): void {
  if (namesItsEvent(context, run, channel)) return;
  const { event, subscription } = run.chatOnly.get(channel) ?? {};
  const [push] = pushesTo(context, subscription);
  throw new PromiseBroken(
    `X-Webhook-Event: ${event}, the only chosen event`,
    push ? describePush(push) : 'none',
  );
}

function signedPushes(context: Context, channel: Channel): Promise<SeenPush[]> {
  return pushesOn(context, { channel, signed: true });
}

/** Where no push at all is signed, the deployment may not know the name under which the request sent the secret. */
async function requireHeaders(context: Context, push: SeenPush): Promise<void> {
  const missing = missingHeaders(push);
  if (missing.length === 0) return;
  if (!(await isSomePushSigned(context)) && !(await understandsSecret(context)))
    throw new NotVerified(
      'the push is not signed, perhaps because the request has the wrong name for the secret; state subscription.request.secret in the profile',
    );
  throw new PromiseBroken(
    `the headers ${headerNames.join(', ')}`,
    `${missing.join(', ')} missing; the push: ${describePush(push)}`,
  );
}

async function isSomePushSigned(context: Context): Promise<boolean> {
  for (const channel of channels) {
    const pushes = await settle(() => signedPushes(context, channel));
    if (!pushes.error && pushes.value().some((push) => headerOf(push, 'X-Webhook-Signature') !== undefined))
      return true;
  }
  return false;
}

function hasName(push: SeenPush): boolean {
  return typeof eventIn(push) === 'string' && headerOf(push, 'X-Webhook-Event') !== undefined;
}

function requireName(push: SeenPush): void {
  const header = presentHeader(push, 'X-Webhook-Event');
  const event = eventIn(push);
  if (header.trim() === '') throw new PromiseBroken('an event name in X-Webhook-Event', 'an empty header');
  if (isNamedByHeader(push, bodyOf(push)) && !eventNames.some((name) => name === event))
    throw new NotVerified('the body names no event; see EVENT-2');
  if (header !== event)
    throw new PromiseBroken(`X-Webhook-Event: ${String(event)}, as in the body`, describePush(push));
}

/** What a test message names in its body is not shown: one that names the same event twice keeps the promise, and any other breaks none. */
function requireSomeTestName(tests: readonly SeenPush[]): void {
  const isSame = (push: SeenPush) =>
    eventNamed(push) !== undefined && headerOf(push, 'X-Webhook-Event') === eventIn(push);
  if (!tests.some(isSame))
    throw new NotVerified(
      'no push names an event to compare with the header (the body of a test push is a gap); state an operation that causes an event',
    );
}

function eventIn(push: SeenPush): unknown {
  return (Object(bodyOf(push)) as { event?: unknown }).event;
}

async function verifySignatures(context: Context, channel: Channel): Promise<void> {
  for (const push of await signedPushes(context, channel)) {
    const hex = await requireSignature(push, push.secret ?? '');
    if (hex !== hex.toLowerCase()) context.observations.compare('webhook.signature-hex', 'upper');
    else if (hex !== hex.toUpperCase()) context.observations.compare('webhook.signature-hex', 'lower');
  }
}

/** The document does not say which headers a push has when no secret was set. */
async function observeUnsigned(context: Context): Promise<void> {
  if (context.plainSecret !== undefined) return;
  const pushes = await settle(() => pushesOn(context, { channel: 'custom', signed: false }));
  if (pushes.error) return;
  for (const push of pushes.value())
    context.observations.compare('webhook.unsigned-headers', unsignedFormOf(push));
}
