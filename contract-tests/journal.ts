// Reads the journal that a run leaves behind, and takes away what is still there.
import { readFileSync } from 'node:fs';
import type { OperationId } from '../openapi/operations.ts';
import { cleanUp } from './clean-up.ts';
import { type Context, createContext } from './context.ts';
import type { SuiteOptions } from './options.ts';
import { NotVerified } from './outcomes.ts';
import { callToEnd } from './own-calls.ts';
import { type Abort, prepare } from './prepare.ts';
import {
  canBeDeleted,
  createResources,
  type JournalLine,
  type Resource,
  type ResourceKind,
} from './resources.ts';

/** The journal can't be used; the message says why. */
export class JournalError extends Error {}

/** What the first line of a journal says of its run. */
export interface JournalHead {
  run: string;
  base_url: string;
  profile: SuiteOptions['profile'];
  started_at: string;
}

export interface ReadJournal {
  file: string;
  head: JournalHead;
  lines: JournalLine[];
}

/** Reads a journal. Throws JournalError. A last line that was cut short is passed over: nothing was sent after it. */
export function readJournal(file: string): ReadJournal {
  const [first, ...rest] = readText(file).split('\n').filter(Boolean);
  const head = parse(first) as (JournalHead & { sitepub_journal?: number }) | undefined;
  if (head?.sitepub_journal !== 1)
    throw new JournalError(`${file} is no journal of sitepub: its first line says nothing of a run`);
  const lines = rest.flatMap((text, index) => {
    const line = parse(text) as JournalLine | undefined;
    if (line) return [line];
    if (index === rest.length - 1) return [];
    throw new JournalError(`${file}: line ${index + 2} is no JSON; put it right or take it out`);
  });
  return { file, head, lines };
}

/** What was taken away, and what is left. */
export interface CleanedUp {
  abort: Abort | undefined;
  removed: Resource[];
  remaining: Resource[];
}

/** Deletes what a journal still lists. What has no identifier is looked for by its name or address. */
export async function cleanUpJournal(journal: ReadJournal, options: SuiteOptions): Promise<CleanedUp> {
  const context = createContext(options);
  context.resources = createResources(journal);
  const before = context.resources.remaining();
  const abort = before.some(canBeDeleted) ? await prepare(context) : undefined;
  if (!abort) {
    for (const resource of before) resource.id ??= await identify(context, resource);
    await cleanUp(context);
  }
  const remaining = context.resources.remaining();
  return { abort, removed: before.filter((resource) => !remaining.includes(resource)), remaining };
}

/** How things are listed, and the field by which one is known. */
const listings: Partial<Record<ResourceKind, { operation: OperationId; field: string }>> = {
  subscription: { operation: 'listSubscriptions', field: 'url' },
  site: { operation: 'listSites', field: 'name' },
  'API key': { operation: 'listKeys', field: 'name' },
};

async function identify(context: Context, { what, site, target }: Resource): Promise<unknown> {
  const listing = listings[what];
  if (!listing || target === '' || !context.operations.has(listing.operation)) return undefined;
  try {
    const { values } = await callToEnd(context, listing.operation, { values: { siteID: site } });
    const list = Array.isArray(values.list) ? (values.list as Record<string, unknown>[]) : [];
    return list.find((item) => item[listing.field] === target)?.id;
  } catch (error) {
    if (error instanceof NotVerified) return undefined;
    throw error;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new JournalError(`the journal ${file} can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
