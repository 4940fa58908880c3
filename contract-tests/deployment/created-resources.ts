// What a run creates: entered in a journal before it is created, so that nothing is lost when the run is cut short.
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

import type { OperationId } from '../../openapi/operations.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import type { SuiteOptions } from '../core/suite-options.ts';

export type ResourceKind =
  | 'subscription'
  | 'site'
  | 'content'
  | 'API key'
  | 'form submission'
  | 'comment'
  | 'published version';

/** Something that a run made. `id` is undefined where the answer did not tell it; `target` is what it points at or is called. */
export interface Resource {
  what: ResourceKind;
  id: unknown;
  site: unknown;
  target: string;
  tenant: 'main' | 'other';
}

/** A resource in the report. `id` is null where the answer did not tell it, `site` where it is in none. */
export type Leftover = Pick<Resource, 'what' | 'id' | 'site' | 'target'>;

/** A line of the journal, after its first. `entry` numbers what was meant to be created. */
export type JournalLine =
  | ({ entry: number } & Omit<Resource, 'id'>)
  | { entry: number; created: unknown }
  | { entry: number; outcome: 'refused' | 'removed' };

export interface Resources {
  /** Enters what is about to be created; the result is to be called with the answer. */
  intend(resource: Omit<Resource, 'id'>): (exchange: Exchange) => void;
  /** Strikes out what a deletion has taken away. */
  remove(what: ResourceKind, id: unknown): void;
  /** Strikes out what turned out not to be there. */
  strike(resource: Resource): void;
  /** What is, or may be, still there, in the order of its creation. */
  remaining(): Resource[];
  /** Takes the journal away where nothing is left that could be deleted. */
  close(): void;
}

export interface CleanUpJournal {
  file: string;
  /** Its first line. */
  head: object;
  /** What an earlier run has entered. */
  lines?: readonly JournalLine[];
}

/** The resources of a run; without a journal nothing is written. */
export function createResources(journal?: CleanUpJournal): Resources {
  const entries: Resource[] = [];
  const isLeft = new Set<Resource>();
  const write = (line: object) => {
    if (journal) appendFileSync(journal.file, `${JSON.stringify(line)}\n`);
  };
  const enter = (resource: Resource) => {
    isLeft.add(resource);
    return entries.push(resource);
  };
  const strike = (resource: Resource, outcome: 'refused' | 'removed') => {
    isLeft.delete(resource);
    write({ entry: entries.indexOf(resource) + 1, outcome });
  };
  for (const line of journal?.lines ?? []) readLine(line, { entries, isLeft, enter });
  return {
    intend: (wanted) => {
      if (journal && entries.length === 0) startJournal(journal);
      const resource: Resource = { ...wanted, id: undefined };
      const entry = enter(resource);
      write({ entry, ...wanted });
      return (exchange) => {
        if (!succeeded(exchange)) return strike(resource, 'refused');
        resource.id = exchange.values.id ?? exchange.values.version;
        // A repeat that was answered with the first result has created nothing.
        if (entries.some((other) => other !== resource && isLeft.has(other) && isSame(other, resource)))
          return strike(resource, 'refused');
        write({ entry, created: resource.id });
      };
    },
    remove: (what, id) => {
      const gone = entries.filter(
        (one) => (one.what === what && String(one.id) === String(id)) || (what === 'site' && one.site === id),
      );
      for (const resource of gone) if (isLeft.has(resource)) strike(resource, 'removed');
    },
    strike: (resource) => strike(resource, 'refused'),
    remaining: () => entries.filter((resource) => isLeft.has(resource)),
    close: () => {
      if (journal && entries.length > 0 && ![...isLeft].some(canBeDeleted))
        rmSync(journal.file, { force: true });
    },
  };
}

/** Whether there is an operation that takes such a thing away. */
export function canBeDeleted({ what }: Pick<Resource, 'what'>): boolean {
  return Object.values(deletions).some((deletion) => deletion.what === what);
}

function isSame(one: Resource, other: Resource): boolean {
  return (
    one.what === other.what &&
    one.id !== undefined &&
    String(one.id) === String(other.id) &&
    one.site === other.site
  );
}

interface Book {
  entries: readonly Resource[];
  isLeft: Set<Resource>;
  enter(resource: Resource): number;
}

function readLine(line: JournalLine, { entries, isLeft, enter }: Book): void {
  if ('what' in line) {
    const { entry: _number, ...resource } = line;
    enter({ ...resource, id: undefined });
    return;
  }
  const resource = entries[line.entry - 1];
  if (!resource) return;
  if ('created' in line) resource.id = line.created;
  else isLeft.delete(resource);
}

function startJournal({ file, head }: CleanUpJournal): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  appendFileSync(file, `${JSON.stringify(head)}\n`, { mode: 0o600 });
}

/** What an operation creates, and the value of the call that tells what it points at. */
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

/** What an operation takes away, and the value of the call that names it. */
export const deletions: Partial<Record<OperationId, { what: ResourceKind; id: string }>> = {
  deleteSubscription: { what: 'subscription', id: 'subscriptionID' },
  deleteSite: { what: 'site', id: 'siteID' },
  deleteKey: { what: 'API key', id: 'keyID' },
  deleteContent: { what: 'content', id: 'contentID' },
};

/** What the first line of a journal says of its run. */
export interface JournalHead {
  run: string;
  base_url: string;
  profile: SuiteOptions['profile'];
  started_at: string;
}
