// Asks the deployment whose a thing is before a call changes, publishes or deletes it (own-things.ts says which calls do).
import type { Operation, OperationId } from '../../openapi/operations.ts';
import type { Context } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { isSameId, writeJson } from '../core/parse-json.ts';
import { settle } from '../core/settled.ts';
import { creations } from '../deployment/created-resources.ts';
import { readingOf, type Thing } from '../deployment/shown-things.ts';
import { newTokenMs } from './new-tokens.ts';
import { identifierGap, whoseIs } from './own-things.ts';
import { readPages } from './read-pages.ts';

/** With what to ask: the token of the call in question, and what sends a reading call. */
interface Asking {
  token: string | null | undefined;
  send(
    context: Context,
    id: OperationId,
    options: { values: Record<string, unknown>; tenant: Thing['tenant']; token: string | null },
  ): Promise<Exchange>;
}

/**
 * Throws NotVerified where nothing shows that a thing is the run's: the profile may say wrongly where its identifier is. `refusal`: the answer to
 * reading it, where that says that the token has ended.
 */
export async function requireOwn(
  context: Context,
  thing: Thing,
  { token, send }: Asking,
): Promise<{ refusal?: Exchange }> {
  const { whose, refusal } = await ask(context, thing, { token, send });
  if (whose === 'own' || whose === 'believed') return {};
  if (whose === 'unknown' && refusal) return { refusal };
  throw leftAlone(context, thing, whose);
}

/** The same, where it is enough that nothing shows that the thing is not the run's. */
export async function requireNotOfOthers(context: Context, thing: Thing, asking: Asking): Promise<void> {
  const { whose } = await ask(context, thing, asking);
  if (whose === 'other') throw leftAlone(context, thing, whose);
}

async function ask(context: Context, thing: Thing, asking: Asking) {
  let refusal: Exchange | undefined;
  const read = async (id: OperationId) => {
    const first = await readThing(context, id, thing, asking);
    if (first?.response.status === 401) refusal = first;
    return first !== undefined && succeeded(first);
  };
  const { resources, operations } = context;
  const whose = await whoseIs({ resources, operations, read, wait: () => waitForNew(context) }, thing);
  return { whose, refusal };
}

function leftAlone(context: Context, thing: Thing, whose: 'other' | 'unknown'): NotVerified {
  const gap = identifierGap(context, thing.what);
  const say = `${thing.what} ${String(thing.id)}`;
  if (gap !== undefined && whose === 'other')
    context.observations.drifts(gap, `the identifier of another resource, ${writeJson(thing.id)}`);
  const see = gap === undefined ? '' : `; see id in ${gap}`;
  return whose === 'other'
    ? new NotVerified(`this run did not create ${say}, so the run does not touch it${see}`)
    : new NotVerified(`nothing shows that this run created ${say}, so the run does not touch it${see}`);
}

/** Reads a thing, or the list of all until it is there. Undefined where that can't be done, or its answer is lost. */
async function readThing(
  context: Context,
  id: OperationId,
  thing: Thing,
  { token, send: sendCall }: Asking,
): Promise<Exchange | undefined> {
  const { tenant, site } = thing;
  const values = { siteID: site, ...(thing.what === 'site' && { siteID: thing.id }), contentID: thing.id };
  const by = { tenant, token: tokenTaken(context, id, token) };
  const send = (page = {}) => sendCall(context, id, { values: { ...values, ...page }, ...by });
  const isEnough = () => context.resources.ownership.isShown(thing);
  const read = await settle(async () => {
    const first = await send();
    if (!succeeded(first) || !Array.isArray(first.values.list) || isEnough()) return first;
    const { isWhole } = await readPages(context.operations.get(id), first, { send, isEnough });
    if (isWhole) context.resources.ownership.noteWhole(thing);
    return first;
  });
  return read.error ? undefined : read.value();
}

/** Reads the list of what a call creates before the first one of a kind is created, to know what is new. */
export async function listBefore(
  context: Context,
  operation: Operation,
  { values, tenant, ...asking }: { values: Record<string, unknown>; tenant: Thing['tenant'] } & Asking,
): Promise<void> {
  const { what = 'comment' } = creations[operation.id] ?? {};
  const { list } = readingOf[what] ?? {};
  const { ownership } = context.resources;
  const site = values.siteID;
  const place = { what, site, tenant };
  // On a site that nobody has, nothing is created.
  const isKnownSite =
    givenSites(context).some((one) => isSameId(one, site)) ||
    ownership.isClaimed({ what: 'site', id: site, site, tenant });
  if (site !== undefined && !isKnownSite) return;
  if (!list || !asking.token || !context.operations.has(list) || !ownership.shouldList(place)) return;
  await readThing(context, list, { ...place, id: undefined }, asking);
}

/** The sites that the user has named. */
export function givenSites({ siteId, options }: Context): unknown[] {
  return [siteId, options.siteId, options.other?.siteId];
}

/** The token of a call, or the API key where another one takes nothing else. */
function tokenTaken(
  { operations, options }: Context,
  id: OperationId,
  token: string | null | undefined,
): string | null {
  return operations.get(id)?.auth === 'api-key' ? (options.apiKey ?? null) : (token ?? null);
}

async function waitForNew({ clock, ending }: Context): Promise<boolean> {
  if (ending.interrupted.aborted) return false;
  await clock.pass(newTokenMs, 'something new to take effect everywhere');
  return true;
}
