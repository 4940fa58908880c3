// Calls each operation that was learnt once, on a site made for that and with what is created there. Its line in the profile then says what was answered.
import type { OperationId } from '../../../openapi/operations.ts';
import { describeAnswer } from '../../core/exchange.ts';
import { Unreachable } from '../../core/outcomes.ts';
import { deletions } from '../../deployment/created-resources.ts';
import { mayCall, proveCreation } from '../ask/create.ts';
import { learntLine } from '../ask/learnt.ts';
import { untilTaken } from '../ask/look-again.ts';
import { type CallResult, callOperation, hasSucceeded, isOwn, needsProof } from '../ask/operations.ts';
import { operationsIn, type Probe, reportProgress, Stop } from '../probe.ts';
import { judgeTry, takeBack } from './judge.ts';

/** Identifiers of what the tries have created, and other values that later ones take. */
type Created = Readonly<Partial<Record<'siteID' | 'contentID' | 'keyID' | 'version', unknown>>>;

interface Try {
  id: OperationId;
  /** What it takes; undefined where that is not there. */
  values(created: Created): Record<string, unknown> | undefined;
  /** Under which name a value of its answer is kept. */
  keeps?: readonly [name: keyof Created, value: 'id' | 'version'];
}

/**
 * Tries what was learnt, and then knows only what has proved itself. Nothing is changed or deleted but what was created here; reading
 * is tried on the usual site where no site can be created.
 */
export async function tryOperations(probe: Probe): Promise<void> {
  if (!probe.options.learning) return;
  reportProgress(probe, 'calling each operation that was learnt');
  const created = await tryEach(probe, triesOf(probe), {});
  await tryEach(probe, lastTries, created);
  probe.seen.operations = operationsIn(probe.findings);
}

/** The same for what takes a subscription: one that this probe has created. */
export async function trySubscriptionOperations(probe: Probe): Promise<void> {
  const remaining = probe.created.resources.remaining();
  const own = remaining.find(({ what, id }) => what === 'subscription' && id !== undefined);
  if (!probe.options.learning || !own || !(await isOwn(probe, own))) return;
  const values = { siteID: own.site, subscriptionID: own.id };
  const ids = ['listSubscriptions', 'listDeliveries', 'deleteSubscription'] as const;
  const tries = ids.map((id) => ({ id, values: () => values }));
  await tryEach(probe, tries, {});
}

function triesOf({ runId, options }: Probe): Try[] {
  const mark = `sitepub-${runId}-try`;
  const on = ({ siteID }: Created, more = {}) => (siteID === undefined ? undefined : { siteID, ...more });
  const content = (created: Created, more = {}) => withId(created, 'contentID', more);
  const some = (created: Created) => on(created) ?? on({ siteID: options.siteId });
  const texts = { title: `${mark} content`, text: mark };
  return [
    // First, to know what was there before.
    { id: 'listSites', values: () => ({}) },
    { id: 'listKeys', values: () => ({}) },
    { id: 'createSite', values: () => ({ name: mark }), keeps: ['siteID', 'id'] },
    { id: 'getSite', values: some },
    { id: 'createContent', values: (created) => on(created, texts), keeps: ['contentID', 'id'] },
    { id: 'listContents', values: some },
    { id: 'getContent', values: content },
    { id: 'updateContent', values: (created) => content(created, texts) },
    { id: 'publishContent', values: content },
    { id: 'publishSite', values: (created) => on(created, { note: mark }), keeps: ['version', 'version'] },
    { id: 'getPublish', values: (created) => withId(created, 'version') },
    { id: 'failPublish', values: (created) => on(created, { note: `${mark} that fails` }) },
    { id: 'askAi', values: (created) => on(created, { prompt: mark }) },
    { id: 'submitForm', values: (created) => on(created, { form: mark, fields: { [mark]: mark } }) },
    { id: 'listSubmissions', values: some },
    { id: 'createComment', values: (created) => on(created, { author: mark, text: mark }) },
    { id: 'listComments', values: some },
    { id: 'createKey', values: () => ({ name: mark }), keeps: ['keyID', 'id'] },
    {
      id: 'importSite',
      values: () => ({ name: `${mark} import`, source: `https://sites.example.com/${mark}` }),
    },
  ];
}

/** They delete what the others have created. */
const lastTries: readonly Try[] = [
  { id: 'deleteKey', values: ({ keyID }) => (keyID === undefined ? undefined : { keyID }) },
  { id: 'deleteContent', values: (created) => withId(created, 'contentID') },
  { id: 'deleteSite', values: (created) => withId(created, 'siteID') },
];

/** What was created on the site; undefined where it was not. */
function withId(created: Created, name: keyof Created, more = {}): Record<string, unknown> | undefined {
  const { siteID, [name]: id } = created;
  return siteID === undefined || id === undefined ? undefined : { siteID, [name]: id, ...more };
}

async function tryEach(probe: Probe, tries: readonly Try[], before: Created): Promise<Created> {
  const created: Partial<Record<keyof Created, unknown>> = { ...before };
  const done = new Set<OperationId>();
  const statuses = new Set<number>();
  for (const { id, values, keeps } of tries) {
    const wanted = values(created);
    if (wanted === undefined || done.has(id) || !mayCall(probe, id)) continue;
    const answer = await tryOne(probe, id, wanted);
    if (answer && probe.seen.operations.get(id)?.auth !== 'none')
      statuses.add(answer.exchange.response.status);
    const isOwn = !answer || (await isOfThis(probe, id, { answer, values: wanted, done }));
    if (keeps) created[keeps[0]] = isOwn ? answer?.values[keeps[1]] : undefined;
  }
  // A login would have shown that.
  if (!probe.options.account && statuses.size === 1 && statuses.has(401))
    throw new Stop('credentials', 'each call was refused with 401; check SITEPUB_API_KEY');
  return created;
}

interface Made {
  answer: CallResult;
  values: Record<string, unknown>;
  /** What was tried already. */
  done: Set<OperationId>;
}

/** Whether what was created is what its answer names; where it is not, people have to look. */
async function isOfThis(probe: Probe, id: OperationId, { answer, values, done }: Made): Promise<boolean> {
  if (!needsProof(probe, id) || !hasSucceeded(answer) || answer.values.id === undefined) return true;
  const isImport = id === 'importSite';
  const callOne = async (other: OperationId, names: Record<string, unknown>) => {
    // An import takes its time: what it answers says nothing of how a site is read.
    if (isImport) return unlessLost(() => callOperation(probe, other, names));
    done.add(other);
    return tryOne(probe, other, names);
  };
  const isOwn = await proveCreation(probe, id, { answer, values, call: callOne });
  const learnt = isOwn || isImport ? undefined : learntLine(probe, probe.seen.operations.get(id)?.gap);
  if (learnt)
    takeBack(
      probe,
      learnt,
      `nothing shows that what its answer names is what it creates: ${describeAnswer(answer.exchange)}`,
    );
  return isOwn;
}

/** Undefined where the answer was lost, or names what was there before. What is new may not be known everywhere yet: a refusal is asked for once more, where nothing is created. */
async function tryOne(
  probe: Probe,
  id: OperationId,
  values: Record<string, unknown>,
): Promise<CallResult | undefined> {
  const call = () => callOperation(probe, id, values);
  const createsNothing = /^(list|get|update|publish|delete)/.test(id);
  const result = await unlessLost(() => (createsNothing ? untilTaken(probe, call, hasSucceeded) : call()));
  judgeTry(probe, id, result);
  if (!result || result.isOfOthers) return undefined;
  const deletion = deletions[id];
  if (deletion && hasSucceeded(result))
    probe.created.resources.markDeleted(deletion.what, values[deletion.id], values.siteID);
  return result;
}

/** A lost answer costs one try, and not all of them. */
async function unlessLost(call: () => Promise<CallResult>): Promise<CallResult | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Unreachable) return undefined;
    throw error;
  }
}
