import { existsSync } from 'node:fs';
import { plainWord } from '../../contract-tests/core/shell-word.ts';
import { createFindings, type Findings } from '../../contract-tests/findings/gap-findings.ts';
import { writeProfile } from '../../contract-tests/findings/write-profile.ts';
import { LearnError } from '../../contract-tests/learn/learn-error.ts';
import { type Learning, learnOperations } from '../../contract-tests/learn/learn-operations.ts';
import { addToFindings } from '../../contract-tests/learn/learnt-findings.ts';
import { createSecrets } from '../../contract-tests/redaction/redact.ts';
import { usesOfOperations } from '../../contract-tests/run/operation-uses.ts';
import { loadProfile, makeProfile, statedValues } from '../../openapi/profile.ts';
import { version } from '../../openapi/version.ts';
import { visible } from '../../openapi/visible-text.ts';
import { type Given, readFlagsOrHelp } from '../options/flags.ts';
import { type LearnOptions, learnFlags, learnNotes, readLearnOptions } from '../options/learn-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { outputLost } from '../output/exit-code.ts';
import { readOut } from '../output/output-file.ts';
import { saveProfile } from '../output/save-profile.ts';
import { sayVerifiable } from '../output/say-verifiable.ts';
import { commandInterruptibly } from './interruptible.ts';
import { nameSources, readSources, type SourcesRead } from './learn-sources.ts';

const usage = 'sitepub learn [--openapi FILE|URL] [--har FILE…] [--proxy PORT --base-url URL] [--out FILE]';

/** `sitepub learn`: writes into a profile how the operations are called that the interface document only names. */
export async function learn(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, learnFlags, { usage, notes: learnNotes });
  if (!given) return 0;
  // A recording ends with Ctrl-C, and is written then.
  return given.text('proxy') === undefined
    ? commandInterruptibly(() => learnAndWrite(given))
    : learnAndWrite(given);
}

async function learnAndWrite(given: Given): Promise<number> {
  const out = readNewOut(given);
  const options = readLearnOptions(given);
  const known = options.profile === undefined ? {} : statedValues(loadProfile(options.profile));
  const read = await readOrSayWhyNot(options, known);
  if (!read) return 3;
  for (const line of [...read.notes, ...read.digest]) console.error(line);
  const learning = learnOperations(read.operations, { given: known });
  const findings = createFindings(known);
  addToFindings(learning, findings);
  return write({ learning, findings, options, out, count: read.operations.length });
}

/** Undefined where an address can't be read. Throws UsageError. */
async function readOrSayWhyNot(
  options: LearnOptions,
  known: Readonly<Record<string, unknown>>,
): Promise<SourcesRead | undefined> {
  try {
    return await readSources(options, known);
  } catch (error) {
    if (!(error instanceof LearnError)) throw error;
    console.error(`sitepub: ${visible(error.message)}`);
    return undefined;
  }
}

/** Checked before anything is read, so that no work is in vain. */
function readNewOut(given: Given): string | undefined {
  const out = readOut(given);
  if (out !== undefined && existsSync(out) && !given.switched('force'))
    throw new UsageError(`--out ${out} exists already; name another file, or replace it with --force`);
  return out;
}

interface Outcome {
  learning: Learning;
  findings: Findings;
  options: LearnOptions;
  out: string | undefined;
  count: number;
}

async function write({ learning, findings, options, out, count }: Outcome): Promise<number> {
  const profile = writeProfile(findings, createSecrets(), {
    title: `Profile learnt from ${nameSources(options.sources)}`,
    date: new Date(),
    version,
    stopped: undefined,
    uses: usesOfOperations(),
  });
  const isUseful = learning.operations.some(({ value }) => value !== undefined);
  const isSaved = !isUseful || (await saveProfile(out, profile));
  console.error(
    summarize({ learning, findings, options, out: isUseful && isSaved ? out : undefined, count }),
  );
  if (!isSaved) return outputLost;
  return isUseful ? 0 : 3;
}

function summarize({ learning: { operations }, findings, options, out, count }: Outcome): string {
  const certain = operations.filter(({ gap }) => findings.has(gap.id));
  const open = operations.filter(({ gap }) => !findings.has(gap.id));
  const doubtful = open.filter(({ value }) => value !== undefined);
  const missing = open.filter(({ value }) => value === undefined);
  const names = (all: typeof operations) =>
    all.map(({ gap }) => gap.id.slice('operation.'.length)).join(', ');
  const line = (label: string, all: typeof operations) => all.length > 0 && `  ${label}: ${names(all)}`;
  const learnt = makeProfile(findings.values(), { name: 'learn', source: 'what was learnt' });
  const lines = [
    `${count} operations described, of which ${certain.length} are certain, ${doubtful.length} doubtful; ${missing.length} not found`,
    line('certain', certain),
    line('doubtful', doubtful),
    line('not found', missing),
    out !== undefined && open.length > 0 && `  ${visible(out)} says why, and what to fill in`,
    sayVerifiable(learnt),
    out !== undefined && sayNext(options, out),
  ];
  return lines.filter((one) => one !== false).join('\n');
}

function sayNext({ baseUrl }: LearnOptions, out: string): string {
  return `  next: sitepub discover --base-url ${baseUrl === undefined ? 'URL' : plainWord(baseUrl)} --profile ${plainWord(out)} --out … finds out the rest`;
}
