// Calls whose answers no other check asks for, so that the envelope is checked on them too: mistakes of every kind, lists, deletions,
// and calls at the same time.
import { namesIn, type OperationId } from '../../../openapi/operations.ts';
import { call } from '../../calls/call.ts';
import { deleteResource } from '../../calls/delete-created.ts';
import { callProfileOperation } from '../../calls/profile-calls.ts';
import { sessionToken } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import type { Exchange } from '../../core/exchange.ts';
import { NotVerified, Unreachable } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import type { ResourceKind } from '../../deployment/created-resources.ts';
import { firstSubscription, requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { unassignedId } from '../../subscriptions/nobodys-ids.ts';
import { type Subscription, sendCreation, sendTest } from '../../subscriptions/subscription-calls.ts';

/** Sent and answered while a body that is too large is on its way. */
const meanwhile = ['[]', '[0]', '[1]', '[2]'];

/** None of these calls creates anything; they delete only what the run has created and no longer needs. */
export async function sendProvocations(context: Context): Promise<void> {
  await call(context, 'refresh', { token: null, values: { token: 'none' } });
  await ignoreUnreachable(() => call(context, 'login', { rawBody: '{"username": ' }));
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
    ignoreUnreachable(() =>
      call(context, 'createSubscription', { values: { siteID }, token, rawBody, headers }),
    );
  await raw('{"url": "https://hooks.example.com/x", "events": [');
  await raw('url=https://hooks.example.com', { 'Content-Type': 'application/x-www-form-urlencoded' });
  const tooLarge = JSON.stringify({ padding: 'x'.repeat(2 * 1024 * 1024) });
  // Its connection may be left in the middle of the body, and serves no further call.
  await Promise.all([raw(tooLarge, { Connection: 'close' }), ...meanwhile.map((body) => raw(body))]);
  await ignoreUnreachable(() => sendCreation(context, { siteID: unassignedId }, { token }));
  await ignoreUnreachable(() => sendCreation(context, { siteID: 'nobody' }, { token }));
  await ignoreUnreachable(() => sendCreation(context, { siteID: unassignedId }, { token: null }));
  await unknownSubscription(context);
}

/** Without a token the answers are other refusals, which have an envelope too. */
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

/** Lists with and without entries, and in pages where the operation has pages. */
async function provokeLists(context: Context): Promise<void> {
  await listPages(context, 'listSites');
  await listPages(context, 'listKeys');
  await listPages(context, 'listSubscriptions');
  const newest = newestOf(context, 'site');
  if (newest) await list(context, 'listSubscriptions', { siteID: newest.id });
  const pushed = await subscriptionWithPushes(context);
  if (pushed)
    await listPages(context, 'listDeliveries', { siteID: pushed.siteID, subscriptionID: pushed.id });
}

async function listPages(context: Context, id: OperationId, values: Values = {}): Promise<void> {
  await list(context, id, values);
  const operation = context.operations.get(id);
  const names = operation ? namesIn(operation) : [];
  const sizeName = ['page_size', 'limit'].find((name) => names.includes(name));
  const one = { ...values, ...(sizeName !== undefined && { [sizeName]: 1 }) };
  for (const [name, second, far] of numberedPages) {
    if (!names.includes(name)) continue;
    await list(context, id, { ...one, [name]: second });
    await list(context, id, { ...values, [name]: far });
  }
  if (!names.includes('cursor')) return;
  const cursor = (await list(context, id, one))?.values.next;
  if (cursor) await list(context, id, { ...one, cursor });
}

/** The second item of a list, and a page far beyond its end. */
const numberedPages = [
  ['page', 2, 1_000],
  ['offset', 1, 10_000],
] as const;

type Values = Record<string, unknown>;

async function list(context: Context, id: OperationId, values: Values): Promise<Exchange | undefined> {
  if (!context.operations.has(id)) return undefined;
  const listed = await settle(() => callProfileOperation(context, id, { values }));
  return listed.error ? undefined : listed.value();
}

/** The first subscription, whose events every run causes. */
async function subscriptionWithPushes(context: Context): Promise<Subscription | undefined> {
  if (context.siteId === undefined || context.options.tier === 'smoke') return undefined;
  const first = await settle(() => firstSubscription(context));
  return first.error ? undefined : first.value();
}

/** One resource of each kind that the run deletes at its end anyway. */
async function provokeDeletions(context: Context): Promise<void> {
  const kinds: readonly ResourceKind[] = ['subscription', 'content', 'API key', 'site'];
  for (const kind of kinds) {
    const newest = newestOf(context, kind);
    if (newest) await settle(() => deleteResource(context, newest));
  }
}

function newestOf({ resources }: Context, kind: ResourceKind) {
  return resources.remaining().findLast(({ what, id }) => what === kind && id !== undefined);
}

/** A deployment may close the connection before a body that is too large is sent, and answers get lost: a missing one proves nothing. */
async function ignoreUnreachable(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
  }
}
