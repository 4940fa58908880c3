// Reads the journal of an interrupted run, and deletes what is left.
import { readFileSync } from 'node:fs';
import type { OperationId } from '../../openapi/operations.ts';
import { cleanUp, tokenFor } from '../calls/delete-created.ts';
import { callToEnd } from '../calls/profile-calls.ts';
import { type Context, createContext } from '../context.ts';
import type { Abort } from '../core/outcomes.ts';
import { parseJson } from '../core/parse-json.ts';
import { settle } from '../core/settled.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import {
  canBeDeleted,
  createResources,
  type JournalHead,
  type JournalLine,
  type Resource,
  type ResourceKind,
} from '../deployment/created-resources.ts';
import { runPreflight } from './preflight.ts';

/** The journal can't be used; the message says why. */
export class JournalError extends Error {}

export interface ReadJournal {
  file: string;
  head: JournalHead;
  lines: JournalLine[];
}

/** Reads a journal. Throws JournalError. An incomplete last line is ignored: nothing was sent after it. */
export function readJournal(file: string): ReadJournal {
  const [first = '', ...rest] = readText(file).split('\n').filter(Boolean);
  const head = parseJson(first) as (JournalHead & { sitepub_journal?: number }) | undefined;
  if (head?.sitepub_journal !== 1)
    throw new JournalError(`${file} is no journal of sitepub: its first line does not describe a run`);
  const lines = rest.flatMap((text, index) => {
    const line = parseJson(text) as JournalLine | undefined;
    if (line) return [line];
    if (index === rest.length - 1) return [];
    throw new JournalError(`${file}: line ${index + 2} is no JSON; correct or remove it`);
  });
  return { file, head, lines };
}

interface CleanedUp {
  abort: Abort | undefined;
  removed: Resource[];
  remaining: Resource[];
}

/** Deletes what a journal still lists. What has no identifier is searched by name or address. */
export async function cleanUpJournal(journal: ReadJournal, options: SuiteOptions): Promise<CleanedUp> {
  const context = createContext(options);
  context.resources = createResources(journal);
  const before = context.resources.remaining();
  const abort = before.some(canBeDeleted) ? await runPreflight(context) : undefined;
  if (!abort) {
    for (const resource of before.filter(({ id }) => id === undefined)) await identify(context, resource);
    await cleanUp(context, { mayBeGone: true });
  }
  const remaining = context.resources.remaining();
  return { abort, removed: before.filter((resource) => !remaining.includes(resource)), remaining };
}

/** The operation that lists a kind, and the field that has the target. */
const listings: Partial<Record<ResourceKind, { operation: OperationId; field: string }>> = {
  subscription: { operation: 'listSubscriptions', field: 'url' },
  site: { operation: 'listSites', field: 'name' },
  'API key': { operation: 'listKeys', field: 'name' },
};

/** Finds the identifier of a resource whose creation got no answer. Where the list is complete without it, it was never created. */
async function identify(context: Context, resource: Resource): Promise<void> {
  const { what, site, target } = resource;
  const listing = listings[what];
  if (!listing || target === '' || !context.operations.has(listing.operation)) return;
  const { field, operation } = listing;
  const listed = await settle(async () => {
    const token = await tokenFor(context, resource);
    return callToEnd(context, operation, { values: { siteID: site }, token });
  });
  if (listed.error) return;
  const { list, total } = listed.value().values;
  if (!Array.isArray(list)) return;
  const items = list as Record<string, unknown>[];
  resource.id = items.find((item) => item[field] === target)?.id;
  const isWhole = total === items.length && items.every((item) => item[field] !== undefined);
  if (resource.id === undefined && isWhole) context.resources.markMissing(resource);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new JournalError(`the journal ${file} can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
