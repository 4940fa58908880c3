// Whether an answer names what was created: it may name a job, or anything else that somebody has, and what it names is changed and deleted later.
import { parentOf } from '../../../openapi/json-pointer.ts';
import type { OperationId } from '../../../openapi/operations.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import { bearsName, creations, deletionOf, type ResourceKind } from '../../deployment/created-resources.ts';
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
  const shown = await readShows(probe, read, { names, own, call, siteID: values.siteID });
  const isTold = probe.options.learning
    ? saysItself(answer.exchange, own)
    : answer.exchange.response.status !== 202;
  // Where a profile states the operation, it counts where nothing that can be read has a name.
  const isOwn = shown === 'own' || (shown === undefined && isTold);
  if (!isOwn) return false;
  probe.proven.add(id);
  probe.resources.identify(what, own.mark, created);
  return true;
}

interface Own {
  id: unknown;
  /** The name that was sent. */
  mark: string;
}

interface Looking {
  names: Readonly<Record<string, unknown>>;
  own: Own;
  siteID: unknown;
  call: Proving['call'];
}

/** Whose it is that the identifier reads, else the list of all; undefined where nothing can be read, or what a profile states of it has no name. */
async function readShows(
  probe: Probe,
  read: { get?: OperationId; list: OperationId },
  { names, own, siteID, call }: Looking,
): Promise<'own' | 'other' | undefined> {
  const isStrict = probe.options.learning !== undefined;
  if (read.get !== undefined && isGiven(probe, read.get)) {
    const result = await call(read.get, names);
    if (result && !succeeded(result.exchange)) return 'other';
    if (result && answerLeaves(result.exchange.response.json).some(({ value }) => bearsName(value, own.mark)))
      return 'own';
    if (result && (isStrict || hasName(result.values))) return 'other';
  }
  if (!isGiven(probe, read.list)) return undefined;
  const item = await findListed(probe, read.list, { ...own, siteID });
  if (!item) return 'other';
  if (answerLeaves(item).some(({ value }) => bearsName(value, own.mark))) return 'own';
  return isStrict || hasListedName(probe, read.list) ? 'other' : undefined;
}

function hasName({ name, title }: CallResult['values']): boolean {
  return typeof (name ?? title) === 'string';
}

/** Whether a profile says where items have their names. */
function hasListedName({ operations }: Probe, id: OperationId): boolean {
  const { items = {} } = operations.get(id)?.success.layout ?? {};
  return 'name' in items || 'title' in items;
}

/** What is done at once says so with 200 or 201; a job that has begun may have the name as well. */
function saysItself({ response }: Exchange, own: Own): boolean {
  return response.status !== 202 && isTogether(answerLeaves(response.json), own);
}

function isTogether(leaves: readonly JsonLeaf[], { id, mark }: Own): boolean {
  const holders = leaves
    .filter(({ value }) => bearsName(value, mark))
    .map(({ pointer }) => parentOf(pointer));
  return leaves.some(({ value, pointer }) => isSameId(value, id) && holders.includes(parentOf(pointer)));
}

/** The item with the identifier. What is new may not be in a list at once. */
async function findListed(
  probe: Probe,
  list: OperationId,
  { siteID, id, mark }: Own & { siteID: unknown },
): Promise<unknown> {
  const look = async () => {
    const { exchange } = await callOperation(probe, list, siteID === undefined ? {} : { siteID });
    if (!succeeded(exchange)) return undefined;
    const items = listsIn(exchange.response.json).flatMap(({ value }) => value as unknown[]);
    const same = items.filter((item) => answerLeaves(item).some(({ value }) => isSameId(value, id)));
    return same.find((item) => answerLeaves(item).some(({ value }) => bearsName(value, mark))) ?? same[0];
  };
  return (await look()) ?? later(probe, look);
}
