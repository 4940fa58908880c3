// Which promise a refusal breaks where several could be meant, so that one fault fails one requirement.

import { channels, eventNames } from '../../openapi/event-names.ts';
import { isRateLimited } from '../calls/expect-answer.ts';
import { isSessionAccepted } from '../calls/user-session.ts';
import { type Context, once } from '../context.ts';
import { describeAnswer, type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { type Subscription, sendCreation, sendTest, unlike } from './subscription-calls.ts';

/** The requirement that is broken where the plainest creation with the session token is refused. */
export async function attributeCreationRefusal(
  context: Context,
): Promise<'LOGIN-1' | 'AUTH-2' | 'HOOK-1' | 'HOOK-3' | 'HOOK-5'> {
  if (!(await isSessionAccepted(context))) return 'LOGIN-1';
  const { apiKey } = context.options;
  if (apiKey && succeeded((await sendCreation(context, {}, { token: apiKey })).exchange)) return 'AUTH-2';
  if ((await acceptedEvent(context)) !== undefined) return 'HOOK-5';
  return (await acceptedChatChannel(context)) === undefined ? 'HOOK-1' : 'HOOK-3';
}

/** An event that can be chosen alone, where the plainest choice of events is refused. */
export function acceptedEvent(context: Context): Promise<string | undefined> {
  return once(context, findAcceptedEvent);
}

async function findAcceptedEvent(context: Context): Promise<string | undefined> {
  for (const event of eventNames)
    if (succeeded((await sendCreation(context, { events: [event] })).exchange)) return event;
  return undefined;
}

/** A chat channel that can be chosen, where custom is refused. */
export function acceptedChatChannel(context: Context): Promise<string | undefined> {
  return once(context, findAcceptedChatChannel);
}

async function findAcceptedChatChannel(context: Context): Promise<string | undefined> {
  for (const channel of channels)
    if (channel !== 'custom' && succeeded((await sendCreation(context, { channel })).exchange))
      return channel;
  return undefined;
}

/** The same, where the test of a created subscription with the session token is refused. */
export async function attributeTestRefusal(
  context: Context,
  subscription: Subscription,
  refusal: Exchange,
): Promise<'AUTH-2' | 'HOOK-1' | 'HOOK-10'> {
  if (isRateLimited(context, refusal))
    throw new NotVerified(`the test of a subscription was refused for its rate (${describeAnswer(refusal)})`);
  const { apiKey } = context.options;
  if (apiKey && succeeded(await sendTest(context, subscription, { token: apiKey }))) return 'AUTH-2';
  const { exchange: invalid } = await sendCreation(context, {}, { spoil: () => ({}) });
  if (areAlike(refusal, invalid))
    throw new NotVerified(
      `the test of a subscription was refused (${describeAnswer(refusal)}) as a body without its fields is; state hook-test.request in the profile`,
    );
  const unknown = await sendTest(context, { ...subscription, id: unlike(subscription.id) });
  const anonymous = await sendTest(context, subscription, { token: null });
  return areAlike(refusal, unknown) && !areAlike(refusal, anonymous) ? 'HOOK-1' : 'HOOK-10';
}

/** A field that no deployment knows. */
const stranger = { 'x-sitepub-nobodys-field': true };

/**
 * Whether a creation may have been refused for the names of its fields: it was refused as one is that has none of them, or none
 * but an unknown one. Names are a gap's matter, whatever the profile says.
 */
export async function mayBeMisnamed(context: Context, refusal: Exchange): Promise<boolean> {
  for (const body of [{}, stranger]) {
    const { exchange } = await sendCreation(context, {}, { spoil: () => body });
    if (areAlike(refusal, exchange)) return true;
  }
  return false;
}

/** Whether a field that the deployment does not know gets a creation refused, so that a misnamed one would. */
export async function refusesUnknownFields(context: Context): Promise<boolean> {
  const { exchange } = await sendCreation(
    context,
    {},
    { spoil: (body) => ({ ...Object(body), ...stranger }) },
  );
  return !succeeded(exchange);
}

/** Whether a secret that was taken in a creation was taken for one: no unknown field is taken, or none but a string as secret. */
export async function understandsSecret(context: Context): Promise<boolean> {
  if (await refusesUnknownFields(context)) return true;
  const { exchange } = await sendCreation(
    context,
    { secret: { no: 'string' } as never },
    { spoil: (body) => body },
  );
  return !succeeded(exchange);
}

/** Whether two refusals are worded alike. */
export function areAlike(one: Exchange, other: Exchange): boolean {
  return one.response.status === other.response.status && envelopeOf(one).code === envelopeOf(other).code;
}
