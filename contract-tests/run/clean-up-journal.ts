// Reads the journal of an interrupted run and deletes the leftovers.
import { readNamedText } from '../../openapi/read-limited-text.ts';
import { cleanUp } from '../calls/delete-created.ts';
import { createContext } from '../context.ts';
import { createEnding, unlessAborted } from '../core/ending.ts';
import { type Abort, interruption } from '../core/outcomes.ts';
import { parseExactly } from '../core/parse-json.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import {
  canBeDeleted,
  createResources,
  type Fate,
  type JournalHead,
  type JournalLine,
  type Resource,
} from '../deployment/created-resources.ts';
import { createRealClock, type OnWait } from '../deployment/deployment-clock.ts';
import { logInFirst } from './preflight/log-in-first.ts';

/** The journal cannot be used; the message says why. */
export class JournalError extends Error {}

export interface ReadJournal {
  file: string;
  head: JournalHead;
  lines: JournalLine[];
}

/** Reads a journal. Throws JournalError. Ignores an incomplete last line, because the run sent nothing after it. */
export function readJournal(file: string): ReadJournal {
  const [first = '', ...rest] = readText(file).split('\n').filter(Boolean);
  const head = parseExactly(first) as (JournalHead & { sitepub_journal?: number }) | undefined;
  if (head?.sitepub_journal !== 1)
    throw new JournalError(`${file} is not a sitepub journal: its first line does not describe a run`);
  const lines = rest.flatMap((text, index) => {
    const line = parseExactly(text) as JournalLine | undefined;
    if (line) return [line];
    if (index === rest.length - 1) return [];
    throw new JournalError(`${file}: line ${index + 2} is not JSON; correct or remove it`);
  });
  return { file, head, lines };
}

interface CleanedUp {
  abort: Abort | undefined;
  /** The resources that are deleted or were never created. */
  gone: { resource: Resource; fate: Fate }[];
  /** The resources that could not be deleted, and why. */
  remaining: { resource: Resource; why: string | undefined }[];
}

/** Deletes the resources that the journal still lists. Finds those without id by name or address. */
export async function cleanUpJournal(
  journal: ReadJournal,
  options: SuiteOptions,
  { onWait, signal }: { onWait?: OnWait; signal?: AbortSignal } = {},
): Promise<CleanedUp> {
  const ending = createEnding(signal, { isPatient: true });
  const context = createContext(options, { clock: createRealClock(onWait, signal), ending });
  context.resources = createResources(journal);
  context.runId = journal.head.run;
  const before = [...context.resources.remaining(), ...context.resources.doubtful()];
  const login = before.some(canBeDeleted) ? logInFirst(context) : Promise.resolve(undefined);
  const abort = await unlessAborted(ending.interrupted, login);
  if (!abort && !signal?.aborted) await cleanUp(context, { isLater: true, keepsDoubtful: true });
  const { whyLeft, doubtful } = context.resources;
  const remaining = [...context.resources.remaining(), ...doubtful()].map((resource) => ({
    resource,
    why: whyLeft(resource),
  }));
  const gone = before.flatMap((resource) => {
    const fate = context.resources.fateOf(resource);
    return fate ? [{ resource, fate }] : [];
  });
  return { abort: signal?.aborted ? interruption : abort, gone, remaining };
}

const mostBytes = 16 * 1_048_576;

function readText(file: string): string {
  const usual = 'pass the file that `sitepub test` named';
  return readNamedText(file, mostBytes, (reason, advice = usual) => {
    return new JournalError(`the journal ${file} can't be read (${reason}); ${advice}`);
  });
}
