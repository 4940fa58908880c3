// The two webhook calls as a check sends them; the answers are the caller's to judge.
import { randomUUID } from 'node:crypto';
import { type CallOptions, call } from '../calls/call.ts';
import { sessionToken } from '../calls/user-session.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../core/exchange.ts';
import { firstChosen } from '../push-receiver/read-push.ts';

/** What a subscription is asked to be; what is left out is the plain choice. */
export interface SubscriptionRequest {
  url?: unknown;
  events?: unknown;
  channel?: unknown;
  secret?: string;
  siteID?: unknown;
}

/** A subscription as it was created; `path` is where its pushes arrive at the receiver. */
export interface Subscription {
  id: unknown;
  path: string;
  exchange: Exchange;
  siteID: unknown;
  secret: string | undefined;
}

/** An identifier, of a site or of a subscription, that no deployment has given out. */
export const nobody = 2_147_483_646;

/** Two that a run causes once: with what is published in bursts, each subscription would get dozens of pushes. */
const plainEvents = [firstChosen, 'comment.created'];

/** Sends a creation with an address of its own. */
export async function sendCreation(
  context: Context,
  wish: SubscriptionRequest = {},
  options: CallOptions = {},
): Promise<Omit<Subscription, 'id'>> {
  const path = nextPath(context);
  const siteID = wish.siteID ?? context.siteId;
  const secret = wish.secret ?? context.plainSecret;
  const plain = { url: hookUrl(context, path), events: plainEvents, channel: 'custom' };
  const values = { ...plain, ...wish, secret, siteID };
  const token = options.token === undefined ? await sessionToken(context) : options.token;
  const exchange = await call(context, 'createSubscription', { values, ...options, token });
  return { path, exchange, siteID, secret };
}

/** Asks for a test push. */
export async function sendTest(
  context: Context,
  { id, siteID }: Pick<Subscription, 'id' | 'siteID'>,
  options: CallOptions = {},
): Promise<Exchange> {
  const token = options.token === undefined ? await sessionToken(context) : options.token;
  return call(context, 'testSubscription', {
    values: { id, siteID, event: plainEvents[0] },
    ...options,
    token,
  });
}

/** An identifier of the same kind that was given to nobody. */
export function unlike(id: unknown): unknown {
  if (typeof id === 'number' || /^\d+$/.test(String(id))) return nobody;
  if (/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(String(id))) return randomUUID();
  return `${String(id).slice(0, -8)}${randomUUID().slice(0, 8)}`;
}

/** A path of its own at the receiver. */
export function nextPath(context: Context): string {
  const count = context.exchanges.filter(({ operation }) => operation === 'createSubscription').length;
  return `/sitepub/${context.runId}/${count + 1}`;
}

/** A signing secret of its own; short, for nobody says how long one may be. */
export function newSecret({ runId, exchanges }: Context): string {
  return `S3cr3t-${runId}-${exchanges.length}`;
}

/** Where there is no receiver, or the deployment takes no subscription to it, an address that belongs to nobody stands in. */
function hookUrl({ receiver, isReceiverRefused }: Context, path: string): string {
  return receiver && !isReceiverRefused ? receiver.urlOf(path) : nobodysUrl(path);
}

/** RFC 2606. */
export function nobodysUrl(path: string): string {
  return `https://hooks.example.com${path}`;
}
