// Decides which promise a refusal breaks where it could be several, so that one fault fails one requirement.
import { chatChannels, eventNames } from '../../openapi/event-names.ts';
import { isRateLimited, requireNotLimited } from '../calls/expect-answer.ts';
import { isSessionAccepted } from '../calls/user-session.ts';
import { type Context, once } from '../context.ts';
import { areAlike, describeAnswer, type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import { isFailure } from '../core/failures.ts';
import { NotVerified } from '../core/outcomes.ts';
import { unassignedIdLike } from './nobodys-ids.ts';
import { type Subscription, sendCreation, sendTest } from './subscription-calls.ts';

/** The requirement that is broken where the plainest creation is refused with the session token. */
export async function attributeCreationRefusal(
  context: Context,
): Promise<'LOGIN-1' | 'AUTH-2' | 'HOOK-1' | 'HOOK-3' | 'HOOK-5'> {
  if (!(await isSessionAccepted(context))) return 'LOGIN-1';
  const { apiKey } = context.options;
  if (apiKey && succeeded((await sendCreation(context, {}, { token: apiKey })).exchange)) return 'AUTH-2';
  if ((await once(context, findAcceptedEvent)) !== undefined) return 'HOOK-5';
  return (await once(context, findAcceptedChatChannel)) === undefined ? 'HOOK-1' : 'HOOK-3';
}

/** An event that can be chosen alone where the plainest choice of events is refused; called with `once`. */
export async function findAcceptedEvent(context: Context): Promise<string | undefined> {
  for (const event of eventNames)
    if (succeeded((await sendCreation(context, { events: [event] })).exchange)) return event;
  return undefined;
}

/** A chat channel that can be chosen where custom is refused; called with `once`. */
export async function findAcceptedChatChannel(context: Context): Promise<string | undefined> {
  for (const channel of chatChannels)
    if (succeeded((await sendCreation(context, { channel })).exchange)) return channel;
  return undefined;
}

/** Statuses of refusals that say nothing about the request, but something about a state: conflict, locked, too early. */
const stateStatuses: readonly number[] = [409, 423, 425];

/** The requirement that is broken where the test of a created subscription is refused with the session token. */
export async function attributeTestRefusal(
  context: Context,
  subscription: Subscription,
  refusal: Exchange,
): Promise<'AUTH-2' | 'HOOK-1' | 'HOOK-10'> {
  requireNotLimited(context, refusal, 'the test of a subscription');
  if (stateStatuses.includes(refusal.response.status))
    throw new NotVerified(
      `the test of a subscription was refused for its state at that time (${describeAnswer(refusal)})`,
    );
  const { apiKey } = context.options;
  if (apiKey && succeeded(await sendTest(context, subscription, { token: apiKey }))) return 'AUTH-2';
  const { exchange: invalid } = await sendCreation(context, {}, { spoil: () => ({}) });
  if (areAlike(refusal, invalid))
    throw new NotVerified(
      `the test of a subscription was refused (${describeAnswer(refusal)}) in the same way as a body without its fields; state hook-test.request in the profile`,
    );
  const unknown = await sendTest(context, { ...subscription, id: unassignedIdLike(subscription.id) });
  const anonymous = await sendTest(context, subscription, { token: null });
  return areAlike(refusal, unknown) && !areAlike(refusal, anonymous) ? 'HOOK-1' : 'HOOK-10';
}

/** No deployment knows this field. */
const unknownField = { 'x-sitepub-nobodys-field': true };

/**
 * Whether a creation may have been refused for the names of its fields: one with none of them, or with only an unknown one, gets the
 * same refusal. The names are gaps, whatever the profile says.
 */
export async function mayBeMisnamed(context: Context, refusal: Exchange): Promise<boolean> {
  for (const body of [{}, unknownField]) {
    const { exchange } = await sendCreation(context, {}, { spoil: () => body });
    if (areAlike(refusal, exchange)) return true;
  }
  return false;
}

/** Whether the deployment refuses a creation with an unknown field, and so would one with a misnamed field. */
export async function refusesUnknownFields(context: Context): Promise<boolean> {
  const spoil = (body: unknown) => ({ ...Object(body), ...unknownField });
  return isRefusedTwice(context, () => sendCreation(context, {}, { spoil }));
}

/** Whether the deployment understood the secret of a creation: it refuses unknown fields, or a secret that is no string. */
export async function understandsSecret(context: Context): Promise<boolean> {
  if (await refusesUnknownFields(context)) return true;
  const request = { secret: { no: 'string' } as never };
  return isRefusedTwice(context, () => sendCreation(context, request, { spoil: (body) => body }));
}

/** A failure, a limit or an answer without a code says nothing about the request. */
async function isRefusedTwice(
  context: Context,
  create: () => ReturnType<typeof sendCreation>,
): Promise<boolean> {
  const isRefusal = (exchange: Exchange) =>
    !succeeded(exchange) &&
    envelopeOf(exchange).code !== undefined &&
    !isFailure(exchange) &&
    !isRateLimited(context, exchange);
  return isRefusal((await create()).exchange) && isRefusal((await create()).exchange);
}
