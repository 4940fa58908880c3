// Sends the two webhook calls; the caller decides what the answers mean.
import { type CallOptions, call, callOnce } from '../calls/call.ts';
import { requireNotOfOthers } from '../calls/guard.ts';
import { withSession } from '../calls/live-session.ts';
import { untilAccepted } from '../calls/look-again.ts';
import { ownToken } from '../calls/profile-calls.ts';
import { type Context, once } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { isSameId } from '../core/parse-json.ts';
import { settle } from '../core/settled.ts';
import { firstChosenEvent } from '../push-receiver/read-push.ts';
import {
  awaitPlace,
  canMakeRoom,
  keepRoom,
  livingOn,
  makeRoom,
  noteCreated,
  noteLag,
  noteMost,
  requireRoom,
} from './room.ts';

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

/** Two events that a run causes rarely: events of publishing come in bursts, and would send each subscription dozens of pushes. */
const plainEvents = [firstChosenEvent, 'comment.created'];

type Created = Omit<Subscription, 'id'>;

/** `shouldPass`: the token is one that should be accepted, so that a refusal may mean that the site is full. */
type CreationOptions = CallOptions & { shouldPass?: boolean };

/** Sends a creation with a new address. Where the site has no more room, makes some and sends it again. */
export async function sendCreation(
  context: Context,
  request: SubscriptionRequest = {},
  { shouldPass = false, ...options }: CreationOptions = {},
): Promise<Created> {
  const siteID = request.siteID ?? context.siteId;
  await requireRoom(context, siteID);
  await keepRoom(context, siteID);
  const created = await sendOnce(context, request, options);
  if (succeeded(created.exchange)) noteCreated(context, { id: created.exchange.values.id, siteID });
  if (succeeded(created.exchange) || !(shouldPass || isPlain(context, options))) return created;
  return sendAgainWithRoom(context, created, () => sendOnce(context, request, options));
}

/** Whether a creation is one of the tenant's own users or keys, so that its refusal may mean that the site is full. */
function isPlain({ options: { apiKey } }: Context, { token, spoil, rawBody }: CallOptions): boolean {
  return (token === undefined || token === apiKey) && spoil === undefined && rawBody === undefined;
}

/** Where the plainest creation is refused as well, the site may be full. */
async function sendAgainWithRoom(
  context: Context,
  refused: Created,
  send: () => Promise<Created>,
): Promise<Created> {
  const { siteID } = refused;
  if (livingOn(context, siteID).length === 0 || !canMakeRoom(context)) return refused;
  const sendPlain = () => sendOnce(context, { siteID }, {});
  if (succeeded((await sendPlain()).exchange)) return refused;
  const isFreeLater = (await awaitPlace(context, siteID)) && succeeded((await sendPlain()).exchange);
  if (isFreeLater) noteLag(context, siteID);
  else if (!(await makeRoomFor(context, siteID, sendPlain))) return refused;
  await requireRoom(context, siteID);
  await keepRoom(context, siteID);
  const again = await send();
  if (succeeded(again.exchange)) noteCreated(context, { id: again.exchange.values.id, siteID });
  return again;
}

/** Deletes the oldest subscription, and returns whether the plainest one can be created after that. A deletion may count a little later. */
async function makeRoomFor(
  context: Context,
  siteID: unknown,
  sendPlain: () => Promise<Created>,
): Promise<boolean> {
  const before = livingOn(context, siteID).length;
  if (!(await makeRoom(context, siteID))) return false;
  let tries = 0;
  const plain = await untilAccepted(context, async () => {
    tries++;
    return (await sendPlain()).exchange;
  });
  if (!succeeded(plain)) return false;
  noteMost(context, siteID, before);
  if (tries > 1) noteLag(context, siteID);
  return true;
}

async function sendOnce(
  context: Context,
  request: SubscriptionRequest,
  options: CallOptions,
): Promise<Created> {
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
  await requireOwnTarget(context, { id, siteID });
  const values = { id, siteID, event: plainEvents[0] };
  const send = (token: string | null) => call(context, 'testSubscription', { values, ...options, token });
  return options.token === undefined ? withSession(context, send) : send(options.token);
}

/** Throws NotVerified where the answer to a creation is known to have the identifier of another subscription. The first one of a run is read. */
export async function requireOwnTarget(
  context: Context,
  { id, siteID }: Pick<Subscription, 'id' | 'siteID'>,
): Promise<void> {
  const { ownership } = context.resources;
  const tenant = isSameId(siteID, context.options.other?.siteId) ? 'other' : 'main';
  const thing = { what: 'subscription', id, site: siteID, tenant } as const;
  if (!ownership.isClaimed(thing)) return;
  const isFirst = tenant === 'main' && !(await once(context, readTested)).size;
  if (!isFirst && ownership.judge(thing) !== 'other') return;
  (await once(context, readTested)).add(String(id));
  const token = await settle(() => ownToken(context, 'listSubscriptions'));
  await requireNotOfOthers(context, thing, { token: token.error ? null : token.value(), send: callOnce });
}

/** The subscriptions that were read before their test. */
async function readTested(): Promise<Set<string>> {
  return new Set();
}

/** A new path at the receiver. */
export function nextPath({ runId, nextNumber }: Pick<Context, 'runId' | 'nextNumber'>): string {
  return `/sitepub/${runId}/${nextNumber()}`;
}

/** An address of the receiver; without one, or where the deployment refuses it, an address that belongs to nobody. */
function receivingUrl({ receiver, isReceiverRefused }: Context, path: string): string {
  return receiver && !isReceiverRefused ? receiver.urlOf(path) : exampleUrl(path);
}

/** An address that belongs to nobody (RFC 2606). */
export function exampleUrl(path: string): string {
  return `https://hooks.example.com${path}`;
}
