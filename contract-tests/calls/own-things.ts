// The one guard of what others have: whatever a profile says, only what the run created is changed, published and deleted.
import { namesIn, type Operation, type OperationId } from '../../openapi/operations.ts';
import { isSameId } from '../core/parse-json.ts';
import { creations, deletions, type Resources } from '../deployment/created-resources.ts';
import { type ResourceKind, readingOf, type Thing } from '../deployment/shown-things.ts';

/** How a run, or a discovery, looks at things. */
export interface Asker {
  resources: Resources;
  operations: ReadonlyMap<string, Operation>;
  /** Calls an operation that reads one thing, or all of a kind. What is read is noted. Returns false where it can't be called. */
  read(id: OperationId, thing: Thing): Promise<boolean>;
  /** Waits until something new is known everywhere; returns false where there is no time for that. */
  wait(): Promise<boolean>;
}

/** Whose a thing is: `believed` where nothing that can be read says so, and nothing speaks against the answer to its creation. */
export async function whoseIs(asker: Asker, thing: Thing): Promise<'own' | 'believed' | 'other' | 'unknown'> {
  const { ownership } = asker.resources;
  if (thing.id === undefined) return 'unknown';
  // A run creates dozens of subscriptions, and the list of all is long.
  const isEnough =
    thing.what === 'subscription' && ownership.isBeside(thing) && ownership.isTrusted(thing.what);
  const isSettled = () => isEnough || ownership.seenAs(thing) === 'own';
  if (!isSettled()) {
    const canRead = await look(asker, thing, isSettled);
    if (canRead && !ownership.isShown(thing) && !ownership.isAwaited(thing)) {
      const end = ownership.beginWait();
      if (await asker.wait()) {
        end();
        await look(asker, thing, isSettled);
      }
    }
  }
  const verdict = ownership.judge(thing);
  return verdict === 'open' ? 'unknown' : verdict;
}

/** Reads a thing by its identifier, and then the list of all. Returns whether either could be done. */
async function look(
  { resources, operations, read }: Asker,
  thing: Thing,
  isSettled: () => boolean,
): Promise<boolean> {
  const { get, list } = readingOf[thing.what] ?? {};
  const { ownership } = resources;
  let canRead = false;
  for (const id of [get, list]) {
    if (id === undefined || !operations.has(id) || isSettled()) continue;
    // What bears another name is new where no list had it before, and one has it now.
    const isOther = ownership.seenAs(thing) === 'other' && !ownership.mayBeNew(thing);
    if (id === get || !isOther) canRead = (await read(id, thing)) || canRead;
  }
  return canRead;
}

/** What calls change, publish or delete, beside what they delete. */
export const changedThings: Partial<Record<OperationId, { what: ResourceKind; id: string }>> = {
  ...deletions,
  updateContent: { what: 'content', id: 'contentID' },
  publishContent: { what: 'content', id: 'contentID' },
};

/** Calls that change the site that they name. */
const onSite: readonly OperationId[] = [
  ...(['publishSite', 'failPublish', 'importSite', 'askAi', 'submitForm', 'createComment'] as const),
  ...(['createContent', 'updateContent', 'publishContent', 'deleteContent'] as const),
];

const publishes: readonly OperationId[] = ['publishSite', 'failPublish'];

/** The things that a call changes, and that the user has not named. `given`: the sites that were named. */
export function changedBy(
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
  { tenant, given }: { tenant: Thing['tenant']; given: readonly unknown[] },
): Thing[] {
  const { id: operationId } = operation;
  const names = namesIn(operation);
  const { what, id } = changedThings[operationId] ?? {};
  const site = values.siteID;
  const things: Thing[] = [];
  // A call that does not say what it is about may change anything; a wrong profile may have one that only reads.
  const mayBeAny = (name: string) => !names.includes(name) && operation.method !== 'GET';
  if (what && id && names.includes(id)) things.push({ what, id: values[id], site, tenant });
  else if (what && id && mayBeAny(id)) things.push({ what, id: undefined, site, tenant });
  const isGiven = given.some((one) => isSameId(one, site));
  // What the run created stands on a site where it may create.
  if (things.length === 0 && onSite.includes(operationId) && names.includes('siteID') && !isGiven)
    things.push({ what: 'site', id: site, site, tenant });
  if (publishes.includes(operationId) && mayBeAny('siteID'))
    things.push({ what: 'site', id: undefined, site, tenant });
  return things;
}

/** The gap that says where the answer to a creation of a kind has the identifier. */
export function identifierGap(
  { operations }: Pick<Asker, 'operations'>,
  what: ResourceKind,
): string | undefined {
  if (what === 'subscription') return 'subscription.response.id';
  const [creation] = Object.entries(creations).find(([, one]) => one.what === what) ?? [];
  return creation && operations.get(creation)?.gap;
}
