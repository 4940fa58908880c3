import { plainWord } from '../../contract-tests/core/shell-word.ts';
import { createFindings, type Findings } from '../../contract-tests/findings/gap-findings.ts';
import { writeProfile } from '../../contract-tests/findings/write-profile.ts';
import type { Learning } from '../../contract-tests/learn/learn-operations.ts';
import { addToFindings, takeBackUncalled } from '../../contract-tests/learn/learnt-findings.ts';
import { createSecrets } from '../../contract-tests/redaction/redact.ts';
import { makeProfile } from '../../openapi/profile.ts';
import { version } from '../../openapi/version.ts';
import { visible } from '../../openapi/visible-text.ts';
import { readFlagsOrHelp } from '../options/flags.ts';
import {
  type LearnOptions,
  learnFlags,
  learnNotes,
  readLearnOptions,
  readSourceFiles,
} from '../options/learn-options.ts';
import { readKnown } from '../options/probe-options.ts';
import { outputLost } from '../output/exit-code.ts';
import { readNewOut } from '../output/output-file.ts';
import { saveProfile } from '../output/save-profile.ts';
import { sayVerifiable } from '../output/say-verifiable.ts';
import { commandInterruptibly } from './interruptible.ts';
import { learnFromSources, nameSources } from './learn-sources.ts';

const usage = 'sitepub learn [--openapi FILE|URL] [--har FILE…] [--out FILE]';

/** `sitepub learn`: writes into a profile how the operations are called that the interface document only names. */
export async function learn(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, learnFlags, { usage, notes: learnNotes });
  if (!given) return 0;
  // Everything is checked before anything is read, so that no work is in vain.
  const out = readNewOut(given, readSourceFiles(given));
  const options = readLearnOptions(given);
  const known = readKnown(given);
  return commandInterruptibly(async () => {
    const learning = await learnFromSources(options, known);
    return learning ? writeLearnt({ learning, known, options, out }) : 3;
  });
}

interface Learnt {
  learning: Learning;
  /** What was known before, by gap. */
  known: Readonly<Record<string, unknown>>;
  options: LearnOptions;
  out: string | undefined;
}

async function writeLearnt(learnt: Learnt): Promise<number> {
  const { learning, known, options, out } = learnt;
  const findings = createFindings(known);
  addToFindings(learning, findings);
  takeBackUncalled(learning, findings, new Set());
  const isUseful = learning.operations.some(({ value }) => value !== undefined);
  const isSaved = !isUseful || (await saveProfile(out, writeFindings(findings, options)));
  const saved = isUseful && isSaved ? out : undefined;
  console.error(summarize({ ...learnt, out: saved }, findings.values()));
  if (!isSaved) return outputLost;
  if (isUseful) return 0;
  const names = visible(nameSources(options.sources));
  console.error(`sitepub: nothing could be learnt from ${names}, so no profile was written`);
  return 3;
}

function writeFindings(findings: Findings, { sources }: LearnOptions): string {
  return writeProfile(findings, createSecrets(), {
    title: `Profile learnt from ${nameSources(sources)}`,
    date: new Date(),
    version,
    stopped: undefined,
    only: 'operations',
  });
}

/** `values`: those of the profile, by gap. */
function summarize(
  { learning: { operations, count }, options, out }: Learnt,
  values: Readonly<Record<string, unknown>>,
): string {
  const certain = operations.filter(({ gap }) => Object.hasOwn(values, gap.id));
  const open = operations.filter(({ gap }) => !Object.hasOwn(values, gap.id));
  const doubtful = open.filter(({ value }) => value !== undefined);
  const missing = open.filter(({ value }) => value === undefined);
  const names = (all: typeof operations) =>
    all.map(({ gap }) => gap.id.slice('operation.'.length)).join(', ');
  const line = (label: string, all: typeof operations) => all.length > 0 && `  ${label}: ${names(all)}`;
  const learnt = makeProfile(values, { name: 'learn', source: 'what was learnt' });
  const lines = [
    `${count} ${count === 1 ? 'operation' : 'operations'} ${nameKinds(options)}, of which ${certain.length} are certain, ${doubtful.length} doubtful; ${missing.length} not found`,
    line('certain', certain),
    line('doubtful', doubtful),
    line('not found', missing),
    out !== undefined && open.length > 0 && `  ${visible(out)} says why, and what to fill in`,
    sayVerifiable(learnt, 'once discover has found out the rest, a run'),
    out !== undefined && sayNext(options, out),
  ];
  return lines.filter((one) => one !== false).join('\n');
}

function nameKinds({ sources }: LearnOptions): string {
  const kinds = new Set(sources.map(({ kind }) => (kind === 'openapi' ? 'described' : 'recorded')));
  return [...kinds].join(' or ');
}

function sayNext({ baseUrl }: LearnOptions, out: string): string {
  return `  next: sitepub discover --base-url ${baseUrl === undefined ? 'URL' : plainWord(baseUrl)} --profile ${plainWord(out)} --out … finds out the rest`;
}
