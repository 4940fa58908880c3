// Generated creations of subscriptions.
import type { Arbitrary } from 'fast-check';
import { eventNames } from '../../../openapi/event-names.ts';
import { writeRequest } from '../../../openapi/operations.ts';
import { call } from '../../calls/call.ts';
import { isRateLimited } from '../../calls/expect-answer.ts';
import { sessionToken } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotApplicable, NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { requireFew, staysBehind } from '../../subscriptions/left-behind.ts';
import { leniencyOf, resemblesId } from '../../subscriptions/lenient-values.ts';
import { keepRoom } from '../../subscriptions/room.ts';
import { exampleUrl, nextPath, sendCreation } from '../../subscriptions/subscription-calls.ts';
import { type BodyFields, bodyFieldsOf } from './body-fields.ts';
import { requireRefusal, requireSuccess } from './case-verdicts.ts';
import { tryCases } from './try-cases.ts';

/** A creation by its differences from the plainest one. */
export interface CreationCase {
  /** Completes "a subscription with …". */
  what: string;
  values?: Readonly<Record<string, unknown>>;
  /** Follows the plain receiving URL. */
  ending?: string;
  /** Replaces the body. */
  arrange?(body: unknown): unknown;
  siteID?: unknown;
}

/** Cases that must be refused; a creation without the mistake has passed before. */
export async function tryInvalidCreations(
  context: Context,
  checkId: string,
  { error = 'invalid-request', ...wanted }: Creations & { error?: 'invalid-request' | 'unknown-site' },
): Promise<void> {
  await requireFirstSubscription(context);
  const body = bodyFieldsOf(context, 'createSubscription');
  await tryCases(context, checkId, {
    ...casesOfKinds(body, wanted),
    tryOne: async (creation) => {
      const exchange = await createCase(context, body, creation);
      const remark = leniencyOfCase(context, creation, exchange);
      requireRefusal(context, exchange, {
        what: `a subscription with ${creation.what}`,
        kind: error,
        remark,
      });
    },
  });
}

/** An identifier that resembles the site's may be read as the site's; another value in the meaning of a valid one. */
function leniencyOfCase(context: Context, { siteID, values }: CreationCase, exchange: Exchange) {
  if (siteID !== undefined) return resemblesId(siteID, context.siteId) ? 'lenient-identifier' : undefined;
  return values && leniencyOf(values, exchange);
}

export interface Creations {
  kinds(body: BodyFields): readonly Arbitrary<CreationCase>[];
  /** Whether each kind is one case only. */
  areKindsCases?: boolean;
  /** The part of all cases that is enough. */
  part?: number;
}

interface ValidCreations extends Creations {
  /** The case that differs only in the subject of the check and must be accepted. */
  counterpartOf(creation: CreationCase): CreationCase;
  /** How many subscriptions the check has created already. */
  made?: number;
  /** Whether a refusal follows a rule that the document leaves to the deployment. */
  isLawful?(creation: CreationCase): Promise<boolean>;
}

/** Creations of each check where the profile does not say how to delete them. */
const mostOfEach = 2;

/** Cases that must be accepted. Subscriptions are deleted at once, since a deployment may limit their number. */
export async function tryValidCreations(
  context: Context,
  checkId: string,
  { counterpartOf, isLawful = async () => false, made, ...wanted }: ValidCreations,
): Promise<void> {
  await requireFirstSubscription(context);
  requireFew(context);
  const body = bodyFieldsOf(context, 'createSubscription');
  let isAnyAccepted = false;
  await tryCases(context, checkId, {
    ...casesOfKinds(body, wanted),
    ...creationBound(context, made),
    tryOne: async (creation) => {
      const { error, value } = await settle(() =>
        requireSuccess(context, {
          what: `a subscription with ${creation.what}`,
          send: () => createCase(context, body, creation),
          sendCounterpart: () => createValidCounterpart(context, body, counterpartOf(creation)),
        }),
      );
      if (!error) isAnyAccepted = value() || isAnyAccepted;
      else if (!(error instanceof PromiseBroken && (await isLawful(creation)))) throw error;
    },
  });
  if (!isAnyAccepted)
    throw new NotApplicable('the deployment accepted no generated creation, and no unchanged one either');
}

function casesOfKinds(body: BodyFields, { kinds, areKindsCases = false, part = 1 }: Creations) {
  const made = kinds(body);
  return { kinds: made, part, ...(areKindsCases && { most: made.length }) };
}

/** Few creations where subscriptions stay; `made` ones of the check count. */
export function creationBound(context: Context, made = 0): { most?: number } {
  return staysBehind(context) ? { most: mostOfEach - made } : {};
}

/** Sends a creation, uses the subscription, and deletes it at once where the profile says how. */
export async function createCase(
  context: Context,
  { operation }: BodyFields,
  { values = {}, ending = '', arrange = (body) => body, siteID = context.siteId }: Omit<CreationCase, 'what'>,
  use: (created: Exchange) => Promise<void> = async () => {},
): Promise<Exchange> {
  const url = plainUrl(context) + ending;
  const plain = { url, events: eventNames.slice(0, 2), channel: 'custom', secret: context.plainSecret };
  const body = arrange(writeRequest(operation, { ...plain, ...values }));
  await keepRoom(context, siteID);
  const token = await sessionToken(context);
  const exchange = await call(context, 'createSubscription', {
    // The secret is not registered as one: the report has to show which one fails.
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

/** Throws NotVerified where not even the plainest subscription can be created any more. */
export async function createValidCounterpart(
  context: Context,
  body: BodyFields,
  creation: CreationCase,
): Promise<Exchange> {
  const exchange = await createCase(context, body, creation);
  if (succeeded(exchange)) return exchange;
  const plain = await createCase(context, body, {});
  // This one makes room where the site is full.
  if (!succeeded(plain) && succeeded((await sendCreation(context)).exchange))
    return createCase(context, body, creation);
  if (!succeeded(plain) || isRateLimited(context, exchange))
    throw new NotVerified(`no subscription can be created any more (${describeAnswer(plain)})`);
  return exchange;
}

async function remove(context: Context, id: unknown, siteID: unknown): Promise<void> {
  if (id === undefined || !context.operations.has('deleteSubscription')) return;
  const values = { siteID, subscriptionID: id };
  await call(context, 'deleteSubscription', { values, token: await sessionToken(context) });
}

/** A new address for each creation, so that none is a repeat of another. */
function plainUrl(context: Context): string {
  const { receiver, isReceiverRefused } = context;
  const path = nextPath(context);
  return receiver && !isReceiverRefused ? receiver.urlOf(path) : exampleUrl(path);
}
