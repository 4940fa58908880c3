// What a run creates: noted in a journal before the request, so that nothing is lost when the run is interrupted.
import type { OperationId } from '../../openapi/operations.ts';
import { type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import { isFailure } from '../core/failures.ts';
import { isSameId, writeJson } from '../core/parse-json.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { openJournal } from './journal-file.ts';
import { createOwnership, type Ownership } from './ownership.ts';
import type { ResourceKind } from './shown-things.ts';

export type { ResourceKind } from './shown-things.ts';

/** Something that a run created. `id` is undefined where the answer had none; `target` is its name, or the address that it points at. */
export interface Resource {
  what: ResourceKind;
  id: unknown;
  site: unknown;
  target: string;
  tenant: 'main' | 'other';
}

/** Deleted by itself, or with the site that it was on; or it was not there. */
export type Fate = 'deleted' | 'deleted-with-site' | 'not-there';

/** A resource in the report. `id` is null where the answer had none, `site` where it belongs to none. */
export type Leftover = Pick<Resource, 'what' | 'id' | 'site' | 'target'>;

/** A line of the journal, after the first. `entry` is the number of the announced resource, from 1. */
export type JournalLine =
  | ({ entry: number } & Omit<Resource, 'id'>)
  | { entry: number; created: unknown; is_beside?: boolean }
  | { entry: number; outcome: 'refused' | 'removed' | 'doubtful' };

export interface Resources {
  /** What shows whose things are. */
  ownership: Ownership;
  /** Notes what is about to be created; call the result with the answer, and it returns whether there is something new. Throws NotVerified where it can't be noted. */
  announce(resource: Omit<Resource, 'id'>): (exchange: Exchange) => boolean;
  /** Notes the identifier of the newest such resource that has none yet: its answer had none that was sure. */
  identify(what: ResourceKind, target: string, id: unknown): void;
  /** Takes an identifier back that may be that of something else: what was created is known by its name alone. */
  disown(what: ResourceKind, id: unknown): void;
  /** Whether one of these is known by this identifier, or one of the name. */
  isKnown(what: ResourceKind, id: unknown, target?: string): boolean;
  /** Those whose creation failed, or was answered by something that says neither yes nor no: they may exist all the same. */
  doubtful(): Resource[];
  /** Notes that a doubtful one exists. */
  markCreated(resource: Resource, id: unknown): void;
  /** Whether the answer to its creation said that it was created. */
  isConfirmed(resource: Resource): boolean;
  /** All of them. Only a refused one, or one that was found missing, has the fate of not being there: a repetition may have created something, too. */
  announced(): readonly Resource[];
  /** Without a site, those of all sites. */
  markDeleted(what: ResourceKind, id: unknown, site?: unknown): void;
  /** Notes that a resource does not exist. */
  markMissing(resource: Resource): void;
  /** What exists, or may exist, in the order of creation. */
  remaining(): Resource[];
  /** Notes why a resource was not deleted, in words that follow its name. */
  noteWhy(resource: Resource, why: string): void;
  whyLeft(resource: Resource): string | undefined;
  /** What became of a resource that does not remain. */
  fateOf(resource: Resource): Fate | undefined;
  /** Removes the journal where nothing is left that could be deleted. */
  close(): void;
}

export interface CleanUpJournal {
  file: string;
  /** The first line. */
  head: object;
  /** The lines of an earlier run. */
  lines?: readonly JournalLine[];
}

/** The resources of a run. Without a journal nothing is written. */
export function createResources(journal?: CleanUpJournal): Resources {
  const entries: Resource[] = [];
  const ownership = createOwnership();
  const replays = new Set<Resource>();
  const isLeft = new Set<Resource>();
  const doubted = new Set<Resource>();
  const confirmed = new Set<Resource>();
  const fates = new Map<Resource, Fate | undefined>();
  const reasons = new Map<Resource, string>();
  const keys = new Set<unknown>();
  const file = journal && openJournal(journal.file);
  const write = (line: object) => file?.append(`${writeJson(line)}\n`);
  const enter = (resource: Resource) => {
    isLeft.add(resource);
    if (canBeDeleted(resource)) ownership.addName(resource.target);
    return entries.push(resource);
  };
  const markGone = (resource: Resource, fate?: Fate): false => {
    isLeft.delete(resource);
    doubted.delete(resource);
    fates.set(resource, fate);
    const outcome = fate?.startsWith('deleted') ? 'removed' : 'refused';
    write({ entry: entries.indexOf(resource) + 1, outcome });
    return false;
  };
  const doubt = (resource: Resource): false => {
    isLeft.delete(resource);
    doubted.add(resource);
    write({ entry: entries.indexOf(resource) + 1, outcome: 'doubtful' });
    return false;
  };
  // Where a key is its own identifier, it is looked for by its name.
  const noted = (id: unknown) => (keys.has(id) ? null : (id ?? null));
  const noteId = (resource: Resource, id: unknown) => {
    resource.id = id;
    write({ entry: entries.indexOf(resource) + 1, created: noted(id) });
  };
  for (const line of journal?.lines ?? [])
    readLine(line, { entries, ownership, isLeft, doubted, confirmed, enter });
  return {
    ownership,
    announce: (wanted) => {
      const head = journal && entries.length === 0 ? `${JSON.stringify(journal.head)}\n` : '';
      file?.announce(`${head}${writeJson({ entry: entries.length + 1, ...wanted })}\n`);
      const resource: Resource = { ...wanted, id: undefined };
      const entry = enter(resource);
      return (exchange) => {
        if (mayBeCarriedOut(exchange)) return false;
        if (!succeeded(exchange))
          return isDoubtful(exchange) ? doubt(resource) : markGone(resource, 'not-there');
        resource.id = exchange.values.id ?? exchange.values.version;
        if (exchange.values.key !== undefined) keys.add(exchange.values.key);
        if (resource.id !== undefined) ownership.addClaim({ ...resource }, resource.target, exchange);
        const before = entries.find(
          (other) => other !== resource && isLeft.has(other) && isSame(other, resource),
        );
        // A repeat with the first result as its answer has created nothing, as far as that says; it has no fate.
        if (before && (before.target === resource.target || !canBeDeleted(resource))) {
          replays.add(resource);
          return markGone(resource);
        }
        // With the identifier of something else it may have been created all the same, and is known by its name.
        if (before) resource.id = undefined;
        else confirmed.add(resource);
        const isBeside = resource.id !== undefined && ownership.isBeside(resource);
        write({ entry, created: noted(resource.id), ...(isBeside && { is_beside: true }) });
        return !before;
      };
    },
    identify: (what, target, id) => {
      const resource = entries.findLast(
        (one) => isLeft.has(one) && one.what === what && one.target === target && one.id === undefined,
      );
      if (resource) noteId(resource, id);
    },
    disown: (what, id) => {
      for (const resource of entries.filter((one) => one.what === what && isSameId(one.id, id))) {
        noteId(resource, undefined);
        // That it is the same identifier shows no repeat then.
        if (replays.delete(resource)) isLeft.add(resource);
      }
    },
    isKnown: (what, id, target) =>
      entries.some(
        (one) => one.what === what && isSameId(one.id, id) && (target === undefined || one.target === target),
      ),
    doubtful: () => entries.filter((resource) => doubted.has(resource)),
    markCreated: (resource, id) => {
      doubted.delete(resource);
      isLeft.add(resource);
      noteId(resource, id);
    },
    isConfirmed: (resource) => confirmed.has(resource),
    announced: () => entries,
    markDeleted: (what, id, site) => {
      for (const resource of entries.filter((one) => isLeft.has(one))) {
        const isHere =
          site === undefined || what === 'site' || what === 'API key' || isSameId(resource.site, site);
        if (resource.what === what && isHere && isSameId(resource.id, id)) markGone(resource, 'deleted');
        else if (what === 'site' && isSameId(resource.site, id)) markGone(resource, 'deleted-with-site');
      }
    },
    markMissing: (resource) => void markGone(resource, 'not-there'),
    remaining: () => entries.filter((resource) => isLeft.has(resource)),
    noteWhy: (resource, why) => void reasons.set(resource, why),
    whyLeft: (resource) => reasons.get(resource),
    fateOf: (resource) => fates.get(resource),
    close: () => {
      if (entries.length > 0 && ![...isLeft, ...doubted].some(canBeDeleted)) file?.remove();
    },
  };
}

/** A gateway that got no answer from the service, or a broken one, knows nothing of what the service has done. */
function mayBeCarriedOut(exchange: Exchange): boolean {
  return [502, 504].includes(exchange.response.status) && envelopeOf(exchange).code === undefined;
}

/** What failed may have been carried out before, and so may what was answered by a redirect, or as nothing in the interface is. */
function isDoubtful(exchange: Exchange): boolean {
  const { status } = exchange.response;
  return isFailure(exchange) || (status < 400 && (status > 299 || envelopeOf(exchange).code === undefined));
}

/** Whether a value is the name or address that a resource was given: a deployment may put something before it, or write it in other letters. */
export function bearsName(value: unknown, name: string): boolean {
  return typeof value === 'string' && value.toLowerCase().includes(name.toLowerCase());
}

/** Whether an operation deletes such a resource. */
export function canBeDeleted({ what }: Pick<Resource, 'what'>): boolean {
  return deletionOf(what) !== undefined;
}

/** The operation that deletes a kind, and the value of its call that identifies the resource. */
export function deletionOf(kind: ResourceKind): { operation: OperationId; id: string } | undefined {
  const [operation, deletion] = Object.entries(deletions).find(([, { what }]) => what === kind) ?? [];
  return deletion && { operation: operation as OperationId, id: deletion.id };
}

function isSame(one: Resource, other: Resource): boolean {
  return one.what === other.what && isSameId(one.id, other.id) && String(one.site) === String(other.site);
}

interface JournalState {
  entries: readonly Resource[];
  ownership: Ownership;
  isLeft: Set<Resource>;
  doubted: Set<Resource>;
  confirmed: Set<Resource>;
  enter(resource: Resource): number;
}

function readLine(line: JournalLine, state: JournalState): void {
  const { entries, ownership, isLeft, doubted, confirmed, enter } = state;
  if ('what' in line) {
    const { entry: _number, ...resource } = line;
    return void enter({ ...resource, id: undefined });
  }
  const resource = entries[line.entry - 1];
  if (!resource) return;
  doubted.delete(resource);
  if ('created' in line) {
    resource.id = line.created ?? undefined;
    if (resource.id !== undefined)
      ownership.addClaim({ ...resource }, resource.target, { isBeside: line.is_beside === true });
    confirmed.add(resource);
    isLeft.add(resource);
    return;
  }
  isLeft.delete(resource);
  if (line.outcome === 'doubtful') doubted.add(resource);
}

/** What an operation creates, and the value of the call that becomes its `target`. */
export const creations: Partial<Record<OperationId, { what: ResourceKind; target: string }>> = {
  createSubscription: { what: 'subscription', target: 'url' },
  createSite: { what: 'site', target: 'name' },
  importSite: { what: 'site', target: 'name' },
  createKey: { what: 'API key', target: 'name' },
  createContent: { what: 'content', target: 'title' },
  submitForm: { what: 'form submission', target: 'form' },
  createComment: { what: 'comment', target: 'author' },
  publishSite: { what: 'published version', target: 'note' },
  failPublish: { what: 'published version', target: 'note' },
};

/** What an operation deletes, and the value of the call that identifies it. */
export const deletions: Partial<Record<OperationId, { what: ResourceKind; id: string }>> = {
  deleteSubscription: { what: 'subscription', id: 'subscriptionID' },
  deleteSite: { what: 'site', id: 'siteID' },
  deleteKey: { what: 'API key', id: 'keyID' },
  deleteContent: { what: 'content', id: 'contentID' },
};

/** The first line of a journal. */
export interface JournalHead {
  run: string;
  base_url: string;
  profile: SuiteOptions['profile'];
  started_at: string;
}
