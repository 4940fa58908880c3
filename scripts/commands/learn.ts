import { plainWord } from '../../contract-tests/core/shell-word.ts';
import type { Discovery } from '../../contract-tests/discover/discover.ts';
import { createFindings } from '../../contract-tests/findings/gap-findings.ts';
import { writeProfile } from '../../contract-tests/findings/write-profile.ts';
import type { Learning } from '../../contract-tests/learn/learn-operations.ts';
import { addToFindings } from '../../contract-tests/learn/learnt-findings.ts';
import { createSecrets } from '../../contract-tests/redaction/redact.ts';
import { usesOfOperations } from '../../contract-tests/run/operation-uses.ts';
import { makeProfile } from '../../openapi/profile.ts';
import { version } from '../../openapi/version.ts';
import { visible } from '../../openapi/visible-text.ts';
import { type Given, readFlagsOrHelp } from '../options/flags.ts';
import {
  type LearnOptions,
  learnFlags,
  learnNotes,
  readLearnOptions,
  readSourceFiles,
} from '../options/learn-options.ts';
import { readKnown, readProbeOptions } from '../options/probe-options.ts';
import { outputLost } from '../output/exit-code.ts';
import { readNewOut, requireNewJournal } from '../output/output-file.ts';
import { saveProfile } from '../output/save-profile.ts';
import { sayVerifiable } from '../output/say-verifiable.ts';
import { commandInterruptibly } from './interruptible.ts';
import { learnFromSources, nameSources } from './learn-sources.ts';
import { printLeftovers, probeDeployment } from './probe-deployment.ts';

const usage =
  'sitepub learn [--openapi FILE|URL] [--har FILE…] [--proxy PORT --base-url URL] [--try] [--out FILE]';

/** `sitepub learn`: writes into a profile how the operations are called that the interface document only names. */
export async function learn(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, learnFlags, { usage, notes: learnNotes });
  if (!given) return 0;
  const prepared = prepare(given);
  // Ctrl-C ends a recording, which is written then; what comes after it is interrupted as usual.
  const learning = given.text('proxy') === undefined ? undefined : await learnFrom(prepared);
  if (given.text('proxy') !== undefined && !learning) return 3;
  return commandInterruptibly(async (signal, bePatient) => {
    const learnt = learning ?? (await learnFrom(prepared));
    bePatient();
    return learnt ? tryAndWrite(learnt, prepared, signal) : 3;
  });
}

interface Prepared {
  out: string | undefined;
  options: LearnOptions;
  known: Readonly<Record<string, unknown>>;
  /** How the deployment is called, where that is wanted. */
  trying: ReturnType<typeof readProbeOptions> | undefined;
}

/** Everything is checked before anything is read, so that no work is in vain. */
function prepare(given: Given): Prepared {
  const out = readNewOut(given, readSourceFiles(given));
  const options = readLearnOptions(given);
  const known = readKnown(given);
  const trying = given.switched('try') ? readProbeOptions(given) : undefined;
  if (trying) requireNewJournal(given.text('journal'), out);
  return { out, options, known, trying };
}

function learnFrom({ options, known }: Prepared): Promise<Learning | undefined> {
  return learnFromSources(options, known);
}

async function tryAndWrite(learning: Learning, prepared: Prepared, signal: AbortSignal): Promise<number> {
  const { out, known, trying } = prepared;
  const isUseful = learning.operations.some(({ value }) => value !== undefined);
  const tried =
    trying && isUseful
      ? await probeDeployment({
          ...trying,
          ...{ given: known, learning, triesOnly: true, mayCreate: async () => true, signal },
        })
      : undefined;
  if (tried?.stopped) console.error(`sitepub: ${visible(tried.stopped.reason)}`);
  const written = tried ?? writeUntried(learning, prepared);
  const isSaved = !isUseful || (await saveProfile(out, written.profile));
  const saved = isUseful && isSaved ? out : undefined;
  const outcome = { learning, written, called: tried?.called, prepared, out: saved };
  console.error(summarize(outcome));
  if (tried && trying) printLeftovers(tried, trying.journal);
  if (!isSaved) return outputLost;
  if (tried?.stopped) return exitCodes[tried.stopped.kind];
  if (isUseful) return 0;
  const names = visible(nameSources(prepared.options.sources));
  console.error(`sitepub: nothing could be learnt from ${names}, so no profile was written`);
  return 3;
}

/** Where a try ended early. */
const exitCodes = { credentials: 2, unreachable: 3, unexpected: 3, interrupted: 130, failed: 4 } as const;

type Written = Pick<Discovery, 'profile' | 'values'>;

function writeUntried(learning: Learning, { known, options }: Prepared): Written {
  const findings = createFindings(known);
  addToFindings(learning, findings);
  const profile = writeProfile(findings, createSecrets(), {
    title: `Profile learnt from ${nameSources(options.sources)}`,
    date: new Date(),
    version,
    stopped: undefined,
    uses: usesOfOperations(),
  });
  return { profile, values: findings.values() };
}

interface Outcome {
  learning: Learning;
  written: Written;
  /** The gaps of the operations that were tried; undefined where none was to be. */
  called: readonly string[] | undefined;
  prepared: Prepared;
  out: string | undefined;
}

function summarize({ learning: { operations, count }, written, called, prepared, out }: Outcome): string {
  const { values } = written;
  const certain = operations.filter(({ gap }) => Object.hasOwn(values, gap.id));
  const open = operations.filter(({ gap }) => !Object.hasOwn(values, gap.id));
  const doubtful = open.filter(({ value }) => value !== undefined);
  const missing = open.filter(({ value }) => value === undefined);
  const names = (all: typeof operations) =>
    all.map(({ gap }) => gap.id.slice('operation.'.length)).join(', ');
  const line = (label: string, all: typeof operations) => all.length > 0 && `  ${label}: ${names(all)}`;
  const learnt = makeProfile(values, { name: 'learn', source: 'what was learnt' });
  const lines = [
    `${count} ${count === 1 ? 'operation' : 'operations'} ${nameKinds(prepared.options)}, of which ${certain.length} are certain, ${doubtful.length} doubtful; ${missing.length} not found`,
    line('certain', certain),
    called !== undefined &&
      line(
        'not called',
        certain.filter(({ gap }) => !called.includes(gap.id)),
      ),
    line('doubtful', doubtful),
    line('not found', missing),
    out !== undefined && open.length > 0 && `  ${visible(out)} says why, and what to fill in`,
    sayVerifiable(learnt, 'once discover has found out the rest, a run'),
    out !== undefined && sayNext(prepared.options, out),
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
