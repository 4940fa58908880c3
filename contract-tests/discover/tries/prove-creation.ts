// Whether an answer names what was created: it may name a job, or anything else that somebody has, and what it names is changed and deleted later.
import { parentOf } from '../../../openapi/json-pointer.ts';
import type { OperationId } from '../../../openapi/operations.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import { creations, deletionOf, type ResourceKind } from '../../deployment/created-resources.ts';
import { type CallResult, callOperation, isGiven } from '../call-operations.ts';
import type { Probe } from '../discovery-probe.ts';
import { answerLeaves, type JsonLeaf, listsIn } from '../json-leaves.ts';
import { later } from '../send-request.ts';

/** How one is read by its identifier, and all of them. */
const reading: Partial<Record<ResourceKind, { get?: OperationId; list: OperationId }>> = {
  site: { get: 'getSite', list: 'listSites' },
  content: { get: 'getContent', list: 'listContents' },
  'API key': { list: 'listKeys' },
};

/** What is read of what was created; `call` reads one, and judges what it answers. */
export interface Proving {
  answer: CallResult;
  values: Readonly<Record<string, unknown>>;
  call(id: OperationId, values: Record<string, unknown>): Promise<CallResult | undefined>;
}

/**
 * Whether what the answer names bears the name that was sent: reading it says so, else the list of all, and the answer itself only where nothing
 * else can: that of a job may repeat the name. Then it is recorded.
 */
export async function proveCreation(
  probe: Probe,
  id: OperationId,
  { answer, values, call }: Proving,
): Promise<boolean> {
  const { what = 'site', target = '' } = creations[id] ?? {};
  const [read, deletion] = [reading[what], deletionOf(what)];
  const created = answer.values.id;
  if (!read || !deletion || created === undefined) return false;
  const own = { id: created, mark: String(values[target]) };
  const names = { siteID: values.siteID, [deletion.id]: created };
  const isOwn = async () => {
    if (read.get !== undefined && isGiven(probe, read.get)) return isRead(await call(read.get, names), own);
    if (isGiven(probe, read.list)) return isListed(probe, read.list, { ...own, siteID: values.siteID });
    // What people state counts where nothing can show more.
    return !probe.options.learning || saysItself(answer.exchange, own);
  };
  if (!(await isOwn())) return false;
  probe.proven.add(id);
  probe.resources.identify(what, own.mark, created);
  return true;
}

interface Own {
  id: unknown;
  /** The name that was sent. */
  mark: string;
}

/** What is done at once says so with 200 or 201; a job that has begun may have the name as well. */
function saysItself({ response }: Exchange, own: Own): boolean {
  return response.status !== 202 && isTogether(answerLeaves(response.json), own);
}

function isTogether(leaves: readonly JsonLeaf[], { id, mark }: Own): boolean {
  const holders = leaves.filter((leaf) => bears(leaf, mark)).map(({ pointer }) => parentOf(pointer));
  return leaves.some(({ value, pointer }) => isSameId(value, id) && holders.includes(parentOf(pointer)));
}

function isRead(result: CallResult | undefined, { mark }: Own): boolean {
  if (!result || !succeeded(result.exchange)) return false;
  return answerLeaves(result.exchange.response.json).some((leaf) => bears(leaf, mark));
}

/** A deployment may put something before a name, or write it in other letters. */
function bears({ value }: JsonLeaf, mark: string): boolean {
  return typeof value === 'string' && value.toLowerCase().includes(mark.toLowerCase());
}

/** What is new may not be in a list at once. */
async function isListed(
  probe: Probe,
  list: OperationId,
  { siteID, ...own }: Own & { siteID: unknown },
): Promise<boolean> {
  const look = async () => {
    const { exchange } = await callOperation(probe, list, siteID === undefined ? {} : { siteID });
    const items = listsIn(exchange.response.json).flatMap(({ value }) => value as unknown[]);
    const isThere = (item: unknown) => {
      const leaves = answerLeaves(item);
      return (
        leaves.some((leaf) => bears(leaf, own.mark)) && leaves.some(({ value }) => isSameId(value, own.id))
      );
    };
    return succeeded(exchange) && items.some(isThere) ? true : undefined;
  };
  return (await look()) ?? (await later(probe, look)) ?? false;
}
