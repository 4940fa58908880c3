// Answers that no check asks for, so that the envelope is seen on them too: to mistakes of every kind, to lists, to deletions,
// and to calls that come at once.
import type { OperationId } from '../../../openapi/operations.ts';
import { call } from '../../calls/call.ts';
import { deleteResource } from '../../calls/delete-created.ts';
import { callProfileOperation } from '../../calls/profile-calls.ts';
import { sessionToken } from '../../calls/user-session.ts';
import { type Context, oncePerRun } from '../../context.ts';
import { NotVerified, Unreachable } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import type { ResourceKind } from '../../deployment/created-resources.ts';
import { firstSubscription, requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import {
  type Subscription,
  sendCreation,
  sendTest,
  unassignedId,
} from '../../subscriptions/subscription-calls.ts';

/** While a body that is too large is on its way, these come and are answered. */
const meanwhile = ['[]', '[0]', '[1]', '[2]'];

/** None of these calls creates anything; what is deleted was made by the run, and is needed no more. */
export const provokeAnswers = oncePerRun(sendProvocations);

async function sendProvocations(context: Context): Promise<void> {
  await call(context, 'refresh', { token: null, values: { token: 'none' } });
  await tolerant(() => call(context, 'login', { rawBody: '{"username": ' }));
  if (!context.options.account) return;
  const token = await tokenIfAny(context);
  await provokeRefusals(context, token);
  if (token === null) return;
  await provokeLists(context);
  await provokeDeletions(context);
}

async function provokeRefusals(context: Context, token: string | null): Promise<void> {
  const siteID = context.siteId ?? unassignedId;
  const raw = (rawBody: string, headers: Record<string, string> = {}) =>
    tolerant(() => call(context, 'createSubscription', { values: { siteID }, token, rawBody, headers }));
  await raw('{"url": "https://hooks.example.com/x", "events": [');
  await raw('url=https://hooks.example.com', { 'Content-Type': 'application/x-www-form-urlencoded' });
  const tooLarge = JSON.stringify({ padding: 'x'.repeat(2 * 1024 * 1024) });
  await Promise.all([tooLarge, ...meanwhile].map((body) => raw(body)));
  await sendCreation(context, { siteID: unassignedId }, { token });
  await sendCreation(context, { siteID: 'nobody' }, { token });
  await sendCreation(context, { siteID: unassignedId }, { token: null });
  await unknownSubscription(context);
}

/** Without a token the answers are refusals of another kind, and have an envelope as well. */
async function tokenIfAny(context: Context): Promise<string | null> {
  try {
    return await sessionToken(context);
  } catch (error) {
    if (error instanceof NotVerified) return null;
    throw error;
  }
}

async function unknownSubscription(context: Context): Promise<void> {
  if (context.siteId === undefined || context.options.tier === 'smoke') return;
  await settle(async () => {
    await sendTest(context, { ...(await requireFirstSubscription(context)), siteID: unassignedId });
  });
}

/** Lists with entries, without, and in pages where there are any. */
async function provokeLists(context: Context): Promise<void> {
  await listPages(context, 'listSites');
  await listPages(context, 'listKeys');
  await listPages(context, 'listSubscriptions');
  const newest = context.resources
    .remaining()
    .findLast(({ what, id }) => what === 'site' && id !== undefined);
  if (newest) await list(context, 'listSubscriptions', { siteID: newest.id });
  const pushed = await subscriptionWithPushes(context);
  if (pushed)
    await listPages(context, 'listDeliveries', { siteID: pushed.siteID, subscriptionID: pushed.id });
}

async function listPages(context: Context, id: OperationId, values: Values = {}): Promise<void> {
  await list(context, id, values);
  const names = context.operations.get(id)?.query?.map(({ name }) => name) ?? [];
  if (!names.includes('page')) return;
  const size = names.includes('page_size') ? { page_size: 1 } : {};
  await list(context, id, { ...values, ...size, page: 2 });
  await list(context, id, { ...values, page: 1_000 });
}

type Values = Record<string, unknown>;

async function list(context: Context, id: OperationId, values: Values): Promise<void> {
  if (context.operations.has(id)) await settle(() => callProfileOperation(context, id, { values }));
}

/** The first one was chosen for events that every run causes. */
async function subscriptionWithPushes(context: Context): Promise<Subscription | undefined> {
  if (context.siteId === undefined || context.options.tier === 'smoke') return undefined;
  const first = await settle(() => firstSubscription(context));
  return first.error ? undefined : first.value();
}

/** One of each kind that would be deleted at the end anyway. */
async function provokeDeletions(context: Context): Promise<void> {
  const kinds: readonly ResourceKind[] = ['subscription', 'content', 'API key', 'site'];
  for (const kind of kinds) {
    const newest = context.resources
      .remaining()
      .findLast(({ what, id }) => what === kind && id !== undefined);
    if (newest) await settle(() => deleteResource(context, newest));
  }
}

/** A deployment may hang up on a body that is too large before it is sent: no answer is no evidence. */
async function tolerant(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
  }
}
