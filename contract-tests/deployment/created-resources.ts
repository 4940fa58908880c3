// Tracks the resources that a run creates. A journal entry precedes each creation, so that clean-up works after an interruption.
import type { OperationId } from '../../openapi/operations.ts';
import { type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import { isFailure } from '../core/failures.ts';
import { isSameId, writeJson } from '../core/parse-json.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { openJournal } from './journal-file.ts';
import { createOwnership, type Ownership } from './ownership.ts';
import type { ResourceKind } from './shown-things.ts';

export type { ResourceKind } from './shown-things.ts';

/** A resource of the run. `id` is undefined if the answer had none; `target` is its name or its receiving URL. */
export interface Resource {
  what: ResourceKind;
  id: unknown;
  site: unknown;
  target: string;
  tenant: 'main' | 'other';
}

/** Deleted directly, deleted with its site, or never existed. */
export type Fate = 'deleted' | 'deleted-with-site' | 'not-there';

/** A resource in the report. `id` is null if unknown, `site` if it belongs to no site. */
export type Leftover = Pick<Resource, 'what' | 'id' | 'site' | 'target'>;

/** A line of the journal after the first. `entry` is the number of the announced resource, from 1. */
export type JournalLine =
  | ({ entry: number } & Omit<Resource, 'id'>)
  | { entry: number; created: unknown; is_beside?: boolean }
  | { entry: number; outcome: 'refused' | 'removed' | 'doubtful' };

export interface Resources {
  ownership: Ownership;
  /** Records an intended creation. Call the result with the answer; it returns whether something new exists. Throws NotVerified if the journal fails. */
  announce(resource: Omit<Resource, 'id'>): (exchange: Exchange) => boolean;
  /** Sets the id of the newest such resource without one. */
  identify(what: ResourceKind, target: string, id: unknown): void;
  /** Removes an id that may belong to something else, so that the resource is identified only by name. */
  disown(what: ResourceKind, id: unknown): void;
  /** Whether the run created a resource with this id (and this target, if given). */
  isKnown(what: ResourceKind, id: unknown, target?: string): boolean;
  /** Resources that may exist although their creation failed or got an unclear answer. */
  doubtful(): Resource[];
  markCreated(resource: Resource, id: unknown): void;
  /** Whether the answer confirmed the creation. */
  isConfirmed(resource: Resource): boolean;
  /** All resources. Only refused or missing ones have the fate `not-there`. */
  announced(): readonly Resource[];
  /** Without `site`: on all sites. */
  markDeleted(what: ResourceKind, id: unknown, site?: unknown): void;
  markMissing(resource: Resource): void;
  /** Existing resources, in the order of creation. */
  remaining(): Resource[];
  /** Records why a resource was not deleted, as a phrase that follows its name. */
  noteWhy(resource: Resource, why: string): void;
  whyLeft(resource: Resource): string | undefined;
  fateOf(resource: Resource): Fate | undefined;
  /** Removes the journal if no deletable resource is left. */
  close(): void;
}

export interface CleanUpJournal {
  file: string;
  /** The first line. */
  head: object;
  /** The lines of an earlier run. */
  lines?: readonly JournalLine[];
}

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
  // A key may be its own id. It is not written; clean-up finds it by name.
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
        // A repeat that was answered with the first result probably created nothing.
        if (before && (before.target === resource.target || !canBeDeleted(resource))) {
          replays.add(resource);
          return markGone(resource);
        }
        // It has the id of another resource but may exist, so it is identified by name.
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
        // Equal ids no longer prove a repeat.
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

/** A gateway error does not say whether the service carried out the request. */
function mayBeCarriedOut(exchange: Exchange): boolean {
  return [502, 504].includes(exchange.response.status) && envelopeOf(exchange).code === undefined;
}

/** A failed request, a redirect or an unknown answer may follow after the creation. */
function isDoubtful(exchange: Exchange): boolean {
  const { status } = exchange.response;
  return isFailure(exchange) || (status < 400 && (status > 299 || envelopeOf(exchange).code === undefined));
}

/** Whether a value contains the given name, ignoring case, because deployments may add a prefix or change case. */
export function bearsName(value: unknown, name: string): boolean {
  return typeof value === 'string' && value.toLowerCase().includes(name.toLowerCase());
}

export function canBeDeleted({ what }: Pick<Resource, 'what'>): boolean {
  return deletionOf(what) !== undefined;
}

/** The operation that deletes a kind, and the name of the value that identifies the resource. */
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

/** What an operation creates, and the name of the value that becomes its `target`. */
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

/** What an operation deletes, and the name of the value that identifies it. */
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
