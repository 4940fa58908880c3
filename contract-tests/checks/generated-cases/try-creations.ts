// Generated creations of subscriptions.
import type { Arbitrary } from 'fast-check';
import { eventNames } from '../../../openapi/event-names.ts';
import { writeRequest } from '../../../openapi/operations.ts';
import { call } from '../../calls/call.ts';
import { isRateLimited } from '../../calls/expect-answer.ts';
import { sessionToken } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { exampleUrl, nextPath } from '../../subscriptions/subscription-calls.ts';
import { type Body, bodyOf } from './body-fields.ts';
import { requireRefusal, requireSuccess } from './case-verdicts.ts';
import { tryCases } from './try-cases.ts';

/** How a creation differs from the plainest one. */
export interface CreationCase {
  /** Completes "a subscription with …". */
  what: string;
  values?: Readonly<Record<string, unknown>>;
  /** Follows the plain receiving URL. */
  ending?: string;
  /** Puts another body in its place. */
  arrange?(body: unknown): unknown;
  siteID?: unknown;
}

/** Cases that must be refused; a creation without the mistake has passed before. */
export async function tryWrongCreations(
  context: Context,
  checkId: string,
  { error = 'invalid-request', ...wanted }: Creations & { error?: 'invalid-request' | 'unknown-site' },
): Promise<void> {
  await requireFirstSubscription(context);
  const body = bodyOf(context, 'createSubscription');
  await tryCases(context, checkId, {
    ...kindsOf(body, wanted),
    tryOne: async (wish) => {
      const exchange = await create(context, body, wish);
      requireRefusal(context, exchange, { what: `a subscription with ${wish.what}`, kind: error });
    },
  });
}

export interface Creations {
  kinds(body: Body): readonly Arbitrary<CreationCase>[];
  /** Whether each kind is one case only. */
  areKindsCases?: boolean;
  /** The part of all cases that is enough. */
  part?: number;
}

interface RightCreations extends Creations {
  /** The wish that differs only in what the check is about. */
  twinOf(wish: CreationCase): CreationCase;
}

/** Of each check, where nobody knows how to take away what it creates. */
const mostLeftBehind = 4;

/** Cases that must be taken. What is created is deleted at once, for there may be as many subscriptions as a deployment takes. */
export async function tryRightCreations(
  context: Context,
  checkId: string,
  { twinOf, ...wanted }: RightCreations,
): Promise<void> {
  await requireFirstSubscription(context);
  const body = bodyOf(context, 'createSubscription');
  await tryCases(context, checkId, {
    ...kindsOf(body, wanted),
    ...boundOf(context),
    tryOne: (wish) =>
      requireSuccess(context, {
        what: `a subscription with ${wish.what} to be created`,
        send: () => create(context, body, wish),
        sendTwin: () => createValidCounterpart(context, body, twinOf(wish)),
      }),
  });
}

function kindsOf(body: Body, { kinds, areKindsCases = false, part = 1 }: Creations) {
  const made = kinds(body);
  return { kinds: made, part, ...(areKindsCases && { most: made.length }) };
}

/** What is created stays where it can't be deleted: then it is little. */
export function boundOf({ operations }: Context): { most?: number } {
  return operations.has('deleteSubscription') ? {} : { most: mostLeftBehind };
}

/** Sends a creation, does something with what comes of it, and takes it away at once, where the profile says how. */
export async function create(
  context: Context,
  { operation }: Body,
  { values = {}, ending = '', arrange = (body) => body, siteID = context.siteId }: Omit<CreationCase, 'what'>,
  use: (created: Exchange) => Promise<void> = async () => {},
): Promise<Exchange> {
  const url = plainUrl(context) + ending;
  const plain = { url, events: eventNames.slice(0, 2), channel: 'custom', secret: context.plainSecret };
  const body = arrange(writeRequest(operation, { ...plain, ...values }));
  const token = await sessionToken(context);
  const exchange = await call(context, 'createSubscription', {
    // The secret is none: whoever reads of it is to see which one fails.
    values: { siteID, url },
    token,
    spoil: () => body,
  });
  if (!succeeded(exchange)) return exchange;
  try {
    await use(exchange);
  } finally {
    await remove(context, exchange.values.id, siteID);
  }
  return exchange;
}

/** Throws NotVerified where not even the plainest one passes any more. */
export async function createValidCounterpart(
  context: Context,
  body: Body,
  wish: CreationCase,
): Promise<Exchange> {
  const twin = await create(context, body, wish);
  if (succeeded(twin)) return twin;
  const plain = await create(context, body, {});
  if (!succeeded(plain) || isRateLimited(context, twin))
    throw new NotVerified(`no subscription can be created any more (${describeAnswer(plain)})`);
  return twin;
}

async function remove(context: Context, id: unknown, siteID: unknown): Promise<void> {
  if (id === undefined || !context.operations.has('deleteSubscription')) return;
  const values = { siteID, subscriptionID: id };
  await call(context, 'deleteSubscription', { values, token: await sessionToken(context) });
}

/** An address of its own for each, so that no creation is the repeat of another. */
function plainUrl(context: Context): string {
  const { receiver, isReceiverRefused } = context;
  const path = nextPath(context);
  return receiver && !isReceiverRefused ? receiver.urlOf(path) : exampleUrl(path);
}
