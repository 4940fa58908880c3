// Calls learnt operations on a site that discovery creates for them.
import type { OperationId } from '../../../openapi/operations.ts';
import { describeAnswer, succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import { deletions } from '../../deployment/created-resources.ts';
import { readingOf, shownIn, type Thing } from '../../deployment/shown-things.ts';
import { learntLine, takeBack } from '../../learn/learnt-findings.ts';
import { createOwn, mayCall } from '../ask/create.ts';
import {
  type CallResult,
  callOperation,
  isGiven,
  isOwn,
  noteCalled,
  readOwnList,
  saysDeleted,
} from '../ask/operations.ts';
import { unlessLost, untilAcceptedBy } from '../ask/send.ts';
import { operationsIn, type Probe, Stop } from '../probe.ts';

/** Reads lists, and creates a site and an API key. Reads lists of the given site if it cannot create one. */
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
  // With a user, the login has already checked the credentials.
  if (!options.account && statuses.size === 1 && statuses.has(401))
    throw new Stop('credentials', 'the deployment refused each call with 401; check SITEPUB_API_KEY');
}

/** Deletes the created site and key, and one subscription. Later steps use only confirmed operations. */
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
 * Calls an operation and judges it. Undefined if the answer was lost or names an existing resource. Repeats a refused call that creates
 * nothing, because a change may not be visible everywhere yet.
 */
export async function tryOne(
  probe: Probe,
  id: OperationId,
  values: Record<string, unknown>,
): Promise<CallResult | undefined> {
  const call = () => createOwn(probe, id, values);
  const isAccepted = ({ exchange }: CallResult) => succeeded(exchange);
  const createsNothing = /^(list|get|update|publish|delete)/.test(id);
  const result = await unlessLost(() => (createsNothing ? untilAcceptedBy(probe, call, isAccepted) : call()));
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

/** Whether a resource named by this run is still readable a little later; undefined if unknown. */
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
  return untilAcceptedBy(probe, isShown, (is) => !is);
}

/** Values that later calls and checks need. */
const essential = ['id', 'version', 'key', 'list'] as const;

/** The path, the method or the request is wrong. */
const wrongStatuses: readonly number[] = [400, 404, 405, 410, 415, 422, 501];

/** A site may not have the form or accept comments. */
const mayBeMissing: readonly OperationId[] = ['submitForm', 'createComment'];

/** Adds the answer to the evidence, or revokes the operation. Ignores given operations. */
function judgeTry(probe: Probe, id: OperationId, answer: CallResult | undefined): undefined {
  const learnt = learntLine(probe, probe.seen.operations.get(id)?.gap);
  if (!learnt) return;
  const { gap, value, evidence } = learnt;
  // A call counts even if its answer was lost.
  noteCalled(probe, gap.id, false);
  const wrong = answer && explainWrong(value, { id, answer });
  if (wrong !== undefined) return takeBack(probe.findings, learnt, `called: ${wrong}`);
  probe.findings.found(gap.id, withStatus(value, answer), `${describe(id, answer)}; ${evidence}`);
}

/** Undefined if nothing contradicts the operation. A deletion must succeed. */
function explainWrong(
  value: Readonly<Record<string, unknown>>,
  { id, answer }: { id: OperationId; answer: CallResult },
): string | undefined {
  const { exchange, values, isOfOthers, isUnproven, isStillThere } = answer;
  if (isStillThere) return `the deleted resource can still be read: ${describeAnswer(exchange)}`;
  if (isOfOthers) return `the answer names a resource that existed before: ${describeAnswer(exchange)}`;
  // The site of an import may not exist yet.
  if (isUnproven && id !== 'importSite')
    return `no proof that the answer names the created resource: ${describeAnswer(exchange)}`;
  if (succeeded(answer.exchange)) {
    const isMissing = (name: string) => value[name] !== undefined && values[name] === undefined;
    const missing = isUnproven ? undefined : essential.find(isMissing);
    return missing && `the answer has no value at ${value[missing]}: ${describeAnswer(exchange)}`;
  }
  const { status } = exchange.response;
  const isMissing = status === 404 && mayBeMissing.includes(id);
  const isWrong = deletions[id] !== undefined || (wrongStatuses.includes(status) && !isMissing);
  return isWrong ? `answered ${describeAnswer(exchange)}` : undefined;
}

function describe(id: OperationId, answer: CallResult | undefined): string {
  if (!answer) return 'called, no usable answer';
  const { status } = answer.exchange.response;
  if (!succeeded(answer.exchange)) return `called, refused with ${status}, possibly for another reason`;
  const isUnseen = deletions[id] && answer.isStillThere === undefined;
  return `called, answered ${status}${isUnseen ? '; no proof that it deleted anything' : ''}`;
}

function withStatus(value: Record<string, unknown>, answer: CallResult | undefined): Record<string, unknown> {
  if (!answer || !succeeded(answer.exchange)) return value;
  const { status } = answer.exchange.response;
  return status === (value.status ?? 200) || status > 299 ? value : { ...value, status };
}
