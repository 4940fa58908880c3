// Room for subscriptions: a deployment may take a few on a site and no more. Where the profile says how to delete them, a run makes room as
// it goes, by deleting what no later check needs.
import { AsyncLocalStorage } from 'node:async_hooks';
import { deleteResource } from '../calls/delete-created.ts';
import type { Context } from '../context.ts';
import { isCleaningUp } from '../core/call-scopes.ts';
import { NotVerified } from '../core/outcomes.ts';
import { isSameId } from '../core/parse-json.ts';
import { settle } from '../core/settled.ts';
import { comesWithin } from '../push-receiver/wait-for-push.ts';

type Resource = ReturnType<Context['resources']['remaining']>[number];

/** Keeps subscriptions until a time, in milliseconds since 1970 by the deployment's clock, or until something has happened. */
interface Hold {
  until: number;
  isOver?(): boolean;
}

/** The site takes no more subscriptions than other checks need at the same time. */
export class NoRoom extends NotVerified {}

/** What a run knows of the room on the sites of its tenant. */
interface Room {
  /** The most living subscriptions of a site, by its identifier, once that was reached. */
  most: Map<string, number>;
  holds: Map<Resource, Hold>;
  /** The sites where the place of a deleted subscription is free only a moment later. */
  lagging: Set<string>;
}

type Placed = { id: unknown; siteID: unknown };

/** One place on a site is left to the subscriptions that are needed for a moment only. */
const sparePlaces = 1;

const rooms = new WeakMap<Context['resources'], Room>();
const currentHold = new AsyncLocalStorage<Hold>();

function roomOf({ resources }: Context): Room {
  const room = rooms.get(resources) ?? { most: new Map(), holds: new Map(), lagging: new Set() };
  rooms.set(resources, room);
  return room;
}

/** The run's subscriptions on a site of its tenant that were not deleted, in the order of their creation. */
export function livingOn({ resources }: Context, siteID: unknown): Resource[] {
  return resources
    .remaining()
    .filter(
      ({ what, id, site, tenant }) =>
        what === 'subscription' && tenant === 'main' && id !== undefined && isSameId(site, siteID),
    );
}

/** Whether the run has not deleted a subscription. */
export function isAlive({ resources }: Context, { id, siteID }: Placed): boolean {
  return resources
    .remaining()
    .some((one) => one.what === 'subscription' && isSameId(one.id, id) && isSameId(one.site, siteID));
}

/** Whether subscriptions can be deleted to make room for others. */
export function canMakeRoom({ operations }: Context): boolean {
  return operations.has('deleteSubscription');
}

/** Creates subscriptions that must live until the time of the hold, which can be changed later. */
export function holdWhile<T>(hold: Hold, work: () => Promise<T>): Promise<T> {
  return currentHold.run(hold, work);
}

/** Notes a subscription that was created just now: it is kept as the hold around its creation says, or as a given one says. */
export function noteCreated(
  context: Context,
  { id, siteID }: Placed,
  hold: Hold | undefined = currentHold.getStore(),
): void {
  const resource = livingOn(context, siteID).findLast((one) => isSameId(one.id, id));
  const { holds } = roomOf(context);
  if (resource && hold && !(isKept(context, resource) && Number(holds.get(resource)?.until) >= hold.until))
    holds.set(resource, hold);
}

/** Waits until one more subscription may be created on a site. Throws NoRoom where that is not to be expected. */
export async function requireRoom(context: Context, siteID: unknown): Promise<void> {
  const ends = endsOfHolds(context, siteID).filter(Number.isFinite);
  const waitMs = Math.min(...ends) - context.clock.now();
  if (hasRoom(context, siteID)) return;
  if (ends.length > 0 && !currentHold.getStore() && waitMs <= longestWaitMs)
    await comesWithin(context, () => hasRoom(context, siteID), waitMs);
  if (!hasRoom(context, siteID))
    throw new NoRoom(
      `the deployment accepts at most ${roomOf(context).most.get(String(siteID))} subscriptions on a site, and the existing ones are still needed`,
    );
}

const longestWaitMs = 60_000;

function endsOfHolds(context: Context, siteID: unknown): number[] {
  const { holds } = roomOf(context);
  return livingOn(context, siteID).flatMap((one) => holds.get(one)?.until ?? []);
}

/** What is to be kept for long must leave a place to the others. */
function hasRoom(context: Context, siteID: unknown): boolean {
  const most = roomOf(context).most.get(String(siteID));
  if (most === undefined) return true;
  const kept = livingOn(context, siteID).filter((one) => isKept(context, one)).length;
  const isForLong = currentHold.getStore()?.until === Number.POSITIVE_INFINITY;
  return kept < (isForLong ? most - sparePlaces : most);
}

/** Whether a site is known to take a certain number of subscriptions and no more. */
export function isShortOfRoom(context: Context, siteID: unknown): boolean {
  return roomOf(context).most.has(String(siteID));
}

/** Deletes subscriptions that are no longer needed, where a site is known to be full. */
export async function keepRoom(context: Context, siteID: unknown): Promise<void> {
  const most = roomOf(context).most.get(String(siteID));
  if (most === undefined || isCleaningUp()) return;
  if (livingOn(context, siteID).length < most) return;
  // Where each deletion has to be waited for, all are made at once.
  const least = isLagging(context, siteID) ? 1 : most;
  while (livingOn(context, siteID).length >= least) if (!(await makeRoom(context, siteID))) break;
  if (isLagging(context, siteID)) await awaitPlace(context, siteID);
}

/** Notes how many subscriptions a site takes at most. Where deleted ones count for a moment, fewer than once are no fewer. */
export function noteMost(context: Context, siteID: unknown, count: number): void {
  const { most } = roomOf(context);
  if (!isLagging(context, siteID) || !most.has(String(siteID))) most.set(String(siteID), count);
}

/** Notes that the place of a deleted subscription on a site is free only a moment later. */
export function noteLag(context: Context, siteID: unknown): void {
  roomOf(context).lagging.add(String(siteID));
}

function isLagging(context: Context, siteID: unknown): boolean {
  return roomOf(context).lagging.has(String(siteID));
}

/** How long a deleted subscription may count, in milliseconds. */
const placeMs = 2_000;

/** Waits where a subscription on a site was deleted so lately that it may still count, and returns whether one was. */
export async function awaitPlace({ requests, clock }: Context, siteID: unknown): Promise<boolean> {
  const deletion = requests.findLast(
    ({ operation, values }) => operation === 'deleteSubscription' && isSameId(values.siteID, siteID),
  );
  const freeAt = (deletion?.answeredAt ?? deletion?.at ?? Number.NEGATIVE_INFINITY) + placeMs;
  if (freeAt < clock.now()) return false;
  await clock.waitUntil(freeAt, 'the site to have room after a deletion');
  return true;
}

/** Deletes the oldest subscription on a site that no check needs any more, and returns whether there was one. */
export async function makeRoom(context: Context, siteID: unknown): Promise<boolean> {
  if (!canMakeRoom(context)) return false;
  const living = livingOn(context, siteID).filter((one) => !isKept(context, one));
  const { holds } = roomOf(context);
  const oldest = living.find((one) => !holds.has(one)) ?? living[0];
  if (!oldest) return false;
  await settle(() => deleteResource(context, oldest));
  return !context.resources.remaining().includes(oldest);
}

/** Keeps a subscription no longer for what it was held for. */
export function release(context: Context, { id, siteID }: Placed): void {
  const resource = livingOn(context, siteID).findLast((one) => isSameId(one.id, id));
  if (resource) roomOf(context).holds.delete(resource);
}

function isKept(context: Context, resource: Resource): boolean {
  const hold = roomOf(context).holds.get(resource);
  return hold !== undefined && context.clock.now() < hold.until && !hold.isOver?.();
}
