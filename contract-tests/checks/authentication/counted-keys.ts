// How many API keys the tenant has for certain, and at most, as far as a run can know.
import type { CallOptions } from '../../calls/call.ts';
import { readList } from '../../calls/pages.ts';
import { secondSession } from '../../calls/user-session.ts';
import { type Context, once } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { writeJson } from '../../core/parse-json.ts';
import { settle } from '../../core/settled.ts';
import { allCreatedKeys, useKey } from './created-keys.ts';
import { deletionsOf } from './deleted-keys.ts';

/** How long lists and quotas may show what was there before, in milliseconds. */
export const lagMs = 2_000;

export interface KeyCount {
  /** Keys that exist beyond doubt. */
  sure: number;
  /** Keys that exist as far as the list shows it; it may leave out those of others. */
  known: number;
}

interface KeyList {
  /** Undefined where the profile does not say where items have their identifiers. */
  ids: readonly string[] | undefined;
  total: number;
  /** Whether it shows a name that the run has given. */
  isOfRun: boolean;
}

/** Counts the keys of the tenant, once the last change is seen everywhere. */
export async function countKeys(context: Context): Promise<KeyCount> {
  const before = await once(context, listBefore);
  await context.clock.pass(lagMs, 'lists to show the last changes');
  const list = await listKeys(context);
  const own = await ownKeys(context);
  const others = othersIn(list, own);
  const stayed = others.ids.filter((id) => before?.ids?.includes(id));
  // Some lists go on showing what was deleted.
  const showsEnded = [...own.deleted].some((id) => list?.ids?.includes(id));
  const isProven = own.deleted.size > 0 && !showsEnded;
  const given = (await isGivenKeyAccepted(context)) ? 1 : 0;
  return {
    sure: own.alive + Math.max(given, isProven ? stayed.length : 0),
    known: own.alive + Math.max(given, showsEnded ? 0 : others.count),
  };
}

/** The most keys that the tenant can have, those of lost answers included; undefined where lists may leave out those of other people. */
export async function countMostKeys(context: Context): Promise<number | undefined> {
  const { second } = context.options;
  if (!second) return undefined;
  const session = await settle(() => secondSession(context));
  if (session.error) return undefined;
  const lists = [await listKeys(context), await listKeys(context, { token: session.value().token })] as const;
  const own = await ownKeys(context);
  // Identifiers may be counted per user, so that those of two people are alike: then their names tell them apart.
  const isNamed = lists[0]?.isOfRun === false || lists[1]?.isOfRun === true;
  const isOfTenant = isNamed && lists[1]?.ids?.some((id) => own.ids.has(id)) === true;
  if (!isOfTenant) return undefined;
  const { remaining } = context.resources;
  const noted = remaining().filter(({ what, tenant }) => what === 'API key' && tenant === 'main').length;
  const others = lists.map((list) => othersIn(list, own));
  const ids = new Set(others.flatMap((one) => one.ids));
  return Math.max(noted, own.alive) + Math.max(ids.size, ...others.map(({ count }) => count));
}

/** The list of keys before the run fills their places. */
export async function listBefore(context: Context): Promise<KeyList | undefined> {
  return listKeys(context);
}

/** Creations that were not the tenant's; made with `once`. */
export async function othersCreations(): Promise<Set<Exchange>> {
  return new Set();
}

async function listKeys(context: Context, by: Pick<CallOptions, 'token'> = {}): Promise<KeyList | undefined> {
  if (!context.operations.has('listKeys')) return undefined;
  const listed = await settle(() => readList(context, 'listKeys', by));
  if (listed.error) return undefined;
  const { items, total = items.length } = listed.value();
  const ids = items.flatMap(({ id }) => (id === undefined ? [] : [String(id)]));
  const isOfRun = items.some((item) => writeJson(item).includes(context.runId));
  return { ids: ids.length === items.length ? ids : undefined, total, isOfRun };
}

interface OwnKeys {
  ids: ReadonlySet<string>;
  deleted: ReadonlySet<string>;
  alive: number;
}

async function ownKeys(context: Context): Promise<OwnKeys> {
  const deleted = await once(context, deletionsOf);
  const others = await once(context, othersCreations);
  const created = allCreatedKeys(context).filter(({ exchange }) => !others.has(exchange));
  const alive = new Set(created.filter(({ id }) => !deleted.has(String(id))).map(({ key }) => key)).size;
  return { ids: new Set(created.map(({ id }) => String(id))), deleted, alive };
}

/** The keys of a list that the run has not created; a list may show a page only. */
function othersIn(list: KeyList | undefined, own: OwnKeys): { ids: readonly string[]; count: number } {
  const ids = (list?.ids ?? []).filter((id) => !own.ids.has(id));
  return { ids, count: Math.max(ids.length, (list?.total ?? 0) - own.alive) };
}

/** The given key is one of the tenant's, and not one of the run's; it is used once where no check has used it so far. */
async function isGivenKeyAccepted(context: Context): Promise<boolean> {
  const { exchanges, options } = context;
  const header = `Bearer ${String(options.apiKey)}`;
  const isUsed = exchanges.some(
    (exchange) => exchange.request.headers.Authorization === header && succeeded(exchange),
  );
  return isUsed || once(context, useGivenKey);
}

async function useGivenKey(context: Context): Promise<boolean> {
  const { apiKey } = context.options;
  if (apiKey === undefined) return false;
  const use = await settle(() => useKey(context, apiKey));
  return !use.error && succeeded(use.value());
}
