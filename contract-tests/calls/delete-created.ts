// Deletes what a run created, the newest first, where the profile says how.
import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationId, operationGap } from '../../openapi/operations.ts';
import type { Context } from '../context.ts';
import { asCleanUp } from '../core/call-scopes.ts';
import { unlessAborted } from '../core/ending.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { askedPauseMs, failurePausesMs, isFailure } from '../core/failures.ts';
import { NotVerified, Unreachable } from '../core/outcomes.ts';
import { isSameId, writeJson } from '../core/parse-json.ts';
import { type Settled, settle } from '../core/settled.ts';
import { requestTimeoutMs } from '../core/suite-options.ts';
import {
  bearsName,
  creations,
  deletionOf,
  type Resource,
  type ResourceKind,
} from '../deployment/created-resources.ts';
import { call, callOnce } from './call.ts';
import { requireOwn } from './guard.ts';
import { untilAccepted } from './look-again.ts';
import { readList } from './pages.ts';
import { tokenFor } from './profile-calls.ts';
import type { ListedItems } from './read-pages.ts';

const goneStatuses: readonly number[] = [404, 410];

/** So many lost answers in a row end the clean-up, and so many times the longest time of an answer, waited for lost ones in all. */
const mostLost = 4;
const mostTimeouts = 5;

/**
 * Deletes what is left of the run's resources. What can't be deleted stays listed, and is no reason to fail. `isLater`: the run has ended some time
 * ago. It may have deleted some already, so what is not found counts as deleted; and somebody else may have got an identifier since. `keepsDoubtful`: what a failed creation
 * may have left stays listed, too. After an interruption there are seconds for it.
 */
export async function cleanUp(
  context: Context,
  { isLater = false, keepsDoubtful = false } = {},
): Promise<void> {
  await unlessAborted(context.ending.stopped, waitAndDelete(context, isLater));
  if (!keepsDoubtful) for (const one of context.resources.doubtful()) context.resources.markMissing(one);
  context.resources.close();
}

async function waitAndDelete(context: Context, isLater: boolean): Promise<void> {
  // A pending request may create something.
  await Promise.allSettled(context.inFlight);
  await asCleanUp(() => deleteRemaining(context, isLater));
}

async function deleteRemaining(context: Context, isLater: boolean): Promise<void> {
  context.losses.inARow = 0;
  const isLosing = losingFrom(context);
  // Where one failed each time, the others are tried once, until one is answered.
  let isFailing = false;
  const { queue, width } = orderOf(context);
  const deleteOne = async (resource: Resource) => {
    if (!context.resources.remaining().includes(resource)) return;
    const pauses = isFailing ? [] : failurePausesMs;
    let outcome = await tryDeleting(context, resource, {
      isLater,
      mayBeGone: isLater || context.losses.hasLost,
    });
    for (const pauseMs of pauses) {
      if (outcome === 'done' || isLosing()) break;
      await context.clock.pass(Math.max(pauseMs, outcome.pauseMs), 'a deletion that failed to be made again');
      // It may be deleted: then it is gone now.
      outcome = await tryDeleting(context, resource, { isLater, mayBeGone: true });
    }
    isFailing = outcome !== 'done';
  };
  const work = async () => {
    for (let next = queue.shift(); next && !isLosing(); next = queue.shift()) await deleteOne(next);
  };
  const workAll = () => Promise.all(Array.from({ length: width }, work));
  const begun = new Set(queue);
  await workAll();
  if (isLosing()) return;
  queue.push(...context.resources.remaining().filter((one) => !begun.has(one)));
  queue.push(...(await findDoubtful(context)));
  await workAll();
  if (!context.ending.interrupted.aborted) return;
  // A creation that was cut off may be under way still.
  queue.push(...context.resources.remaining().filter(({ what, id }) => id === undefined && listings[what]));
  if (queue.length > 0) await sleep(underWayMs);
  await workAll();
}

/** How long after an interruption something is looked for once more, in milliseconds. */
const underWayMs = 400;

/** So many are deleted at the same time after an interruption. */
const hurriedWidth = 4;

/** In which order, and how many at the same time. In a hurry sites come first: what is on them goes with them. */
function orderOf({ ending, resources }: Context): { queue: Resource[]; width: number } {
  const queue = resources.remaining().toReversed();
  if (!ending.interrupted.aborted) return { queue, width: 1 };
  const isSite = ({ what }: Resource) => Number(what === 'site');
  return { queue: queue.sort((one, other) => isSite(other) - isSite(one)), width: hurriedWidth };
}

/** Whether too much is lost, counted from now on. */
function losingFrom({ losses, options }: Context): () => boolean {
  const before = losses.waitedMs;
  const mostMs = mostTimeouts * (options.requestTimeoutMs ?? requestTimeoutMs);
  return () => losses.inARow >= mostLost || losses.waitedMs - before >= mostMs;
}

/** The answer is lost, or says that it was not tried: it asks for such a pause. */
interface Unsettled {
  pauseMs: number;
}

/** Whatever goes wrong with one resource, the others are deleted all the same. */
async function tryDeleting(
  context: Context,
  resource: Resource,
  { isLater, mayBeGone }: { isLater: boolean; mayBeGone: boolean },
): Promise<'done' | Unsettled> {
  try {
    const mistaken = await explainMistaken(context, resource);
    // A later clean-up names what it leaves as the journal does.
    if (mistaken && !isLater) context.resources.disown(resource.what, resource.id);
    const isEnded = isLater && mistaken !== undefined && mistaken !== ofOthers;
    const isNamed =
      (mistaken !== undefined || resource.id === undefined) && (await identify(context, resource, isEnded));
    // A list may be read in a wrong way, too.
    const again = isNamed ? await explainMistaken(context, resource) : undefined;
    if (again) context.resources.disown(resource.what, resource.id);
    if (!context.resources.remaining().includes(resource)) return 'done';
    const unknown = again ?? (isNamed ? undefined : mistaken);
    if (unknown) {
      context.resources.noteWhy(resource, unknown);
      return 'done';
    }
    const exchange = await deleteResource(context, resource);
    context.resources.noteWhy(resource, explainLeft(context, resource, exchange));
    if (exchange && (isFailure(exchange) || exchange.response.status === 429))
      return { pauseMs: askedPauseMs(exchange) };
    if (exchange && !succeeded(exchange) && (await isGone(context, resource, { exchange, mayBeGone })))
      context.resources.markMissing(resource);
    return 'done';
  } catch (error) {
    context.resources.noteWhy(resource, error instanceof Error ? error.message : String(error));
    return error instanceof Unreachable ? { pauseMs: 0 } : 'done';
  }
}

function explainLeft(
  { operations }: Context,
  { what, id }: Resource,
  exchange: Exchange | undefined,
): string {
  const deletion = deletionOf(what)?.operation;
  if (deletion === undefined) return 'it cannot be deleted';
  if (exchange) return `its deletion was answered with HTTP ${exchange.response.status}`;
  const missing = [...(id === undefined ? [listings[what]?.operation] : []), deletion].find(
    (one) => one !== undefined && !operations.has(one),
  );
  if (missing) return `state ${operationGap(missing)} in a profile, and give it with --profile`;
  return 'its identifier is unknown, and no list shows its name';
}

/** Deletes a resource, and returns the exchange; undefined where that is not possible. What is new may not be known everywhere yet. */
export async function deleteResource(context: Context, resource: Resource): Promise<Exchange | undefined> {
  const { what, id, site } = resource;
  const deletion = deletionOf(what);
  if (!deletion || id === undefined || !context.operations.has(deletion.operation)) return undefined;
  const token = await tokenFor(context, resource.tenant, deletion.operation);
  const values = { siteID: site, [deletion.id]: id };
  const send = () => call(context, deletion.operation, { values, token, tenant: resource.tenant });
  return isNew(context, resource) ? untilAccepted(context, send) : send();
}

/** How long after its creation something may not be known to every part of the deployment, in milliseconds. */
const newMs = 2_000;

function isNew({ requests, clock }: Context, { what, id }: Resource): boolean {
  const created = requests.findLast(
    ({ operation, exchange }) => creations[operation]?.what === what && isSameId(exchange?.values.id, id),
  );
  return created !== undefined && clock.now() - (created.answeredAt ?? created.at) < newMs;
}

/** Those that exist of the doubtful ones, by the same names. What is not in a whole list was never created. */
async function findDoubtful(context: Context): Promise<Resource[]> {
  const { resources, runId } = context;
  const doubtful = resources.doubtful();
  const lists: Lists = new Map();
  for (const resource of doubtful) {
    const list = resource.target.includes(runId) ? await readOnce(context, resource, lists) : undefined;
    const found = itemOf(context, resource, list);
    if (found !== undefined) resources.markCreated(resource, found);
    else if (list && showsAll(list, resource)) resources.markMissing(resource);
    else resources.noteWhy(resource, 'its creation failed, and it is unknown whether it took effect');
  }
  return doubtful.filter((one) => resources.remaining().includes(one));
}

/** The identifier of what has the name of a resource, and is not known already: a creation that was sent twice may have been carried out twice. */
function itemOf({ resources }: Context, { what, target }: Resource, list: ListedItems | undefined): unknown {
  const { field = '' } = listings[what] ?? {};
  const own = list?.items.filter((item) => !resources.isKnown(what, item.id)) ?? [];
  return (own.find((item) => item[field] === target) ?? own.find((item) => bearsName(item[field], target)))
    ?.id;
}

/** Whether a list has a name with an identifier that something of another name is known by: it is read in a wrong way. */
function isListed({ resources }: Context, { what, target }: Resource, { items }: ListedItems): boolean {
  const { field = '' } = listings[what] ?? {};
  return items.some((item) => item[field] === target && !resources.isKnown(what, item.id, target));
}

/** Whether what a list does not show is not there. */
function showsAll({ isWhole, items }: ListedItems, { what }: Resource): boolean {
  const { field = '' } = listings[what] ?? {};
  return isWhole && items.every((item) => item[field] !== undefined);
}

/** The operation that lists a kind, and the field that has the target. */
const listings: Partial<Record<ResourceKind, { operation: OperationId; field: string }>> = {
  subscription: { operation: 'listSubscriptions', field: 'url' },
  site: { operation: 'listSites', field: 'name' },
  'API key': { operation: 'listKeys', field: 'name' },
  content: { operation: 'listContents', field: 'title' },
};

/**
 * Finds the identifier of a resource whose creation got no answer, by a name or an address that bears the run's identifier: any other may be that of
 * somebody else. Where the list is complete without it, it was never created, unless the deployment has said that it was and it can't be gone by now; after
 * an interruption its creation may be under way still. Returns whether it was found.
 */
async function identify(context: Context, resource: Resource, isEnded: boolean): Promise<boolean> {
  const { resources, runId, ending } = context;
  const list = resource.target.includes(runId) ? await wholeList(context, resource) : undefined;
  if (!list) return false;
  const found = itemOf(context, resource, list);
  resource.id = found ?? resource.id;
  const mayBeThere = ending.interrupted.aborted || (resources.isConfirmed(resource) && !isEnded);
  const isMissing = found === undefined && !mayBeThere && showsAll(list, resource);
  if (isMissing && !isListed(context, resource, list)) resources.markMissing(resource);
  return found !== undefined;
}

/** The list in which a resource would be; undefined where the profile does not say how to read it, or it is refused. */
async function wholeList(context: Context, resource: Resource): Promise<ListedItems | undefined> {
  const { what, site } = resource;
  const { operation } = listings[what] ?? {};
  if (!operation || !context.operations.has(operation)) return undefined;
  const listed = await settle(async () => {
    const token = await tokenFor(context, resource.tenant, operation);
    return readList(context, operation, { values: { siteID: site }, token });
  });
  if (listed.error instanceof Unreachable) throw listed.error;
  return listed.error ? undefined : listed.value();
}

/** What was read of lists, by kind, site and tenant. */
type Lists = Map<string, Settled<ListedItems | undefined>>;

/** A list decides on all doubtful resources of its kind, so a useless answer is asked for again. */
const mostListTries = 3;

/** The same, of a list that is not read again once it was read; undefined where its answer is lost, too. */
async function readOnce(
  context: Context,
  resource: Resource,
  lists: Lists,
): Promise<ListedItems | undefined> {
  const { what, site, tenant } = resource;
  const place = writeJson([what, site, tenant]);
  const known = lists.get(place);
  let listed = known ?? (await settle(() => wholeList(context, resource)));
  for (let tries = 1; !known && !listed.error && !listed.value() && tries < mostListTries; tries++)
    listed = await settle(() => wholeList(context, resource));
  lists.set(place, listed);
  return listed.error ? undefined : listed.value();
}

const ofOthers = 'its identifier belongs to another resource now';

/** Why an identifier is not taken for that of what was created, which is then known by its name alone; undefined where it is. */
async function explainMistaken(context: Context, resource: Resource): Promise<string | undefined> {
  const { what, id } = resource;
  const { resources, operations } = context;
  const deletion = deletionOf(what)?.operation;
  if (id === undefined || !deletion) return undefined;
  if (operations.has(deletion)) {
    const token = await tokenFor(context, resource.tenant, deletion);
    const owned = await settle(() => requireOwn(context, resource, { token, send: callOnce }));
    if (!owned.error) return undefined;
    if (!(owned.error instanceof NotVerified)) throw owned.error;
  }
  const whose = resources.ownership.judge(resource);
  if (whose !== 'other' && !operations.has(deletion)) return undefined;
  return whose === 'other' ? ofOthers : 'nothing shows that the identifier in the answer belongs to it';
}

/** Whether a resource whose deletion was refused is gone already: an earlier deletion may have lost its answer. */
async function isGone(
  context: Context,
  resource: Resource,
  { exchange, mayBeGone }: { exchange: Exchange; mayBeGone: boolean },
): Promise<boolean> {
  const { status } = exchange.response;
  if (mayBeGone && goneStatuses.includes(status)) return true;
  // Something that is not there is in no conflict.
  if (status === 409) return false;
  const list = await wholeList(context, resource);
  return (
    list?.isWhole === true &&
    list.items.every(({ id }) => id !== undefined && String(id) !== String(resource.id))
  );
}
