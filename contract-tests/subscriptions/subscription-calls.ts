// Sends the two webhook calls; the caller decides what the answers mean.
import { randomUUID } from 'node:crypto';
import { type CallOptions, call } from '../calls/call.ts';
import { withSession } from '../calls/live-session.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../core/exchange.ts';
import { firstChosenEvent } from '../push-receiver/read-push.ts';

/** The fields of a creation; those left out get plain values. */
export interface SubscriptionRequest {
  url?: unknown;
  events?: unknown;
  channel?: unknown;
  secret?: string;
  siteID?: unknown;
}

/** A created subscription; its pushes arrive at `path` of the receiver. */
export interface Subscription {
  id: unknown;
  path: string;
  exchange: Exchange;
  siteID: unknown;
  secret: string | undefined;
}

/** An identifier that no site and no subscription has. */
export const unassignedId = 2_147_483_646;

/** Two events that a run causes rarely: events of publishing come in bursts, and would send each subscription dozens of pushes. */
const plainEvents = [firstChosenEvent, 'comment.created'];

/** Sends a creation with a new address. */
export async function sendCreation(
  context: Context,
  request: SubscriptionRequest = {},
  options: CallOptions = {},
): Promise<Omit<Subscription, 'id'>> {
  const path = nextPath(context);
  const siteID = request.siteID ?? context.siteId;
  const secret = request.secret ?? context.plainSecret;
  const plain = { url: receivingUrl(context, path), events: plainEvents, channel: 'custom' };
  const values = { ...plain, ...request, secret, siteID };
  const send = (token: string | null) => call(context, 'createSubscription', { values, ...options, token });
  const exchange = options.token === undefined ? await withSession(context, send) : await send(options.token);
  return { path, exchange, siteID, secret };
}

/** Asks for a test push. */
export async function sendTest(
  context: Context,
  { id, siteID }: Pick<Subscription, 'id' | 'siteID'>,
  options: CallOptions = {},
): Promise<Exchange> {
  const values = { id, siteID, event: plainEvents[0] };
  const send = (token: string | null) => call(context, 'testSubscription', { values, ...options, token });
  return options.token === undefined ? withSession(context, send) : send(options.token);
}

/** An unassigned identifier of the same form. */
export function unassignedIdLike(id: unknown): unknown {
  if (typeof id === 'number' || /^\d+$/.test(String(id))) return unassignedId;
  if (/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(String(id))) return randomUUID();
  return `${String(id).slice(0, -8)}${randomUUID().slice(0, 8)}`;
}

/** A new path at the receiver. */
export function nextPath(context: Context): string {
  return `/sitepub/${context.runId}/${context.nextNumber()}`;
}

/** A new signing secret; short, for the document sets no length. */
export function newSecret({ runId, nextNumber }: Context): string {
  return `S3cr3t-${runId}-${nextNumber()}`;
}

/** Shapes of secrets that some deployments change before they sign. */
const oddSecrets = {
  'longer than a block': (plain: string) =>
    `${plain}-more-than-the-64-bytes-of-a-block-which-a-longer-key-is-hashed-to-first`,
  'outside ASCII': (plain: string) => `${plain}-schlüssel-鑰匙`,
  'with characters that are escaped': (plain: string) => `${plain}-a&b<c>'d+e%20"f\\g`,
  'with decomposed letters': (plain: string) => `${plain}-${'é ü ﬁ Å'.normalize('NFD')}-\u212B`,
  'with blanks at the ends': (plain: string) => `  ${plain}-between-blanks `,
  hexadecimal: (plain: string) => Buffer.from(plain).toString('hex').padEnd(64, '0'),
  'in base64': (plain: string) => Buffer.from(`${plain}?>~`.padEnd(35)).toString('base64'),
} as const;

export type SecretShape = keyof typeof oddSecrets;

/** A new signing secret of an unusual shape. */
export function newOddSecret(context: Context, shape: SecretShape): string {
  return oddSecrets[shape](newSecret(context));
}

/** An address of the receiver; without one, or where the deployment refuses it, an address that belongs to nobody. */
function receivingUrl({ receiver, isReceiverRefused }: Context, path: string): string {
  return receiver && !isReceiverRefused ? receiver.urlOf(path) : exampleUrl(path);
}

/** An address that belongs to nobody (RFC 2606). */
export function exampleUrl(path: string): string {
  return `https://hooks.example.com${path}`;
}
