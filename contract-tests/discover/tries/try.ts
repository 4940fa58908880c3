// Calls what was learnt, on a site made for that. Its line in the profile then says what was answered.
import type { OperationId } from '../../../openapi/operations.ts';
import { succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import { deletions } from '../../deployment/created-resources.ts';
import { readingOf, shownIn, type Thing } from '../../deployment/shown-things.ts';
import { createOwn, mayCall } from '../ask/create.ts';
import { type CallResult, callOperation, isGiven, isOwn } from '../ask/operations.ts';
import { readOwnList, saysDeleted } from '../ask/own-list.ts';
import { unlessLost, untilTaken } from '../ask/send.ts';
import { operationsIn, type Probe, Stop } from '../probe.ts';
import { judgeTry } from './judge.ts';

/**
 * Reads what is there, and creates a site and a key. Nothing is changed or deleted but what was created here; lists are read of the usual site where
 * no site can be created.
 */
export async function tryOperations(probe: Probe): Promise<void> {
  const { options, created, runId } = probe;
  const statuses = new Set<number>();
  const tryNext = async (id: OperationId, values: Record<string, unknown> = {}) => {
    if (!mayCall(probe, id)) return undefined;
    const answer = await tryOne(probe, id, values);
    if (answer && probe.seen.operations.get(id)?.auth !== 'none')
      statuses.add(answer.exchange.response.status);
    return answer?.values.id;
  };
  const name = `sitepub-${runId}-try`;
  await tryNext('listSites');
  await tryNext('listKeys');
  created.site = await tryNext('createSite', { name });
  await tryNext('getSite', { siteID: created.site ?? options.siteId });
  created.keyID = await tryNext('createKey', { name });
  await tryNext('importSite', { name: `${name} import`, source: `https://sites.example.com/${name}` });
  if (created.site === undefined)
    for (const id of ['listContents', 'listSubmissions', 'listComments'] as const) await tryNext(id);
  else await tryNext('askAi', { siteID: created.site, prompt: name });
  // A login would have shown that.
  if (!options.account && statuses.size === 1 && statuses.has(401))
    throw new Stop('credentials', 'each call was refused with 401; check SITEPUB_API_KEY');
}

/** Deletes what the tries have created, and one subscription. Later steps know only what has proved itself. */
export async function tryDeletions(probe: Probe): Promise<void> {
  const { created } = probe;
  const { site, keyID } = created;
  const subscription = created.resources
    .remaining()
    .find(({ what, id }) => what === 'subscription' && id !== undefined);
  const ofSubscription = ['listSubscriptions', 'listDeliveries', 'deleteSubscription'] as const;
  if (subscription && (await isOwn(probe, subscription)))
    for (const id of ofSubscription)
      if (mayCall(probe, id))
        await tryOne(probe, id, { siteID: subscription.site, subscriptionID: subscription.id });
  if (keyID !== undefined && mayCall(probe, 'deleteKey')) await tryOne(probe, 'deleteKey', { keyID });
  if (site !== undefined && mayCall(probe, 'deleteSite')) await tryOne(probe, 'deleteSite', { siteID: site });
  created.site = undefined;
  probe.seen.operations = operationsIn(probe.findings);
}

/**
 * Calls an operation and judges its line. Undefined where the answer was lost, or names what was there before. What is new may not be known everywhere yet: a
 * refusal is asked for once more, where nothing is created.
 */
export async function tryOne(
  probe: Probe,
  id: OperationId,
  values: Record<string, unknown>,
): Promise<CallResult | undefined> {
  const call = () => createOwn(probe, id, values);
  const isTaken = ({ exchange }: CallResult) => succeeded(exchange);
  const createsNothing = /^(list|get|update|publish|delete)/.test(id);
  const result = await unlessLost(() => (createsNothing ? untilTaken(probe, call, isTaken) : call()));
  const deletion = deletions[id];
  const isDeleted = result && deletion && succeeded(result.exchange);
  const deleted = isDeleted && { what: deletion.what, id: values[deletion.id], site: values.siteID };
  const isOver = deleted && result.exchange.response.status !== 202;
  const isStillThere = isOver ? await canBeRead(probe, deleted) : undefined;
  judgeTry(probe, id, result && { ...result, isStillThere });
  if (deleted && isStillThere) probe.created.undeletable.add(deleted.what);
  else if (deleted) probe.created.resources.markDeleted(deleted.what, deleted.id, deleted.site);
  return result?.isOfOthers ? undefined : result;
}

/** Whether something that bears a name of this run can still be read a little later; undefined where nothing shows that. */
async function canBeRead(
  probe: Probe,
  { what, id, site }: Omit<Thing, 'tenant'>,
): Promise<boolean | undefined> {
  const { get } = readingOf[what] ?? {};
  const reading = get && isGiven(probe, get) ? probe.seen.operations.get(get) : undefined;
  const about = { siteID: what === 'site' ? id : site, contentID: id };
  const isMark = (value: unknown) => String(value).includes(probe.runId);
  const isShown = async () => {
    const { exchange } = (reading && (await unlessLost(() => callOperation(probe, reading.id, about)))) ?? {};
    if (exchange?.response.status === 404) return false;
    if (reading && exchange && succeeded(exchange) && !saysDeleted(probe, exchange))
      return shownIn(reading, exchange, { about, isMark }).some(({ isOwn }) => isOwn);
    const { things = [], isWhole = false } = (await readOwnList(probe, { what, site })) ?? {};
    const isListed = things.some((it) => isSameId(it.id, id) && isMark(it.name));
    return isListed || (isWhole ? false : undefined);
  };
  return untilTaken(probe, isShown, (is) => !is);
}
