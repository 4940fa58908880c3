import { createInterface } from 'node:readline/promises';
import { plainWord } from '../../contract-tests/core/shell-word.ts';
import type { Discovery } from '../../contract-tests/discover/discover.ts';
import type { Learning } from '../../contract-tests/learn/learn-operations.ts';
import { makeProfile } from '../../openapi/profile.ts';
import { visible } from '../../openapi/visible-text.ts';
import { connectionFlags } from '../options/connection-options.ts';
import { receiverFlags } from '../options/deployment-options.ts';
import { confirmFlag, type Flags, type Given, readFlagsOrHelp, textFlag } from '../options/flags.ts';
import { readSourceFiles, readSourcesFor, sourceFlags } from '../options/learn-options.ts';
import {
  type ProbeOptions,
  probeFlags,
  probeHelp,
  readKnown,
  readProbeOptions,
} from '../options/probe-options.ts';
import { outputLost } from '../output/exit-code.ts';
import { readNewOut, requireNewJournal } from '../output/output-file.ts';
import { saveProfile } from '../output/save-profile.ts';
import { sayVerifiable } from '../output/say-verifiable.ts';
import { commandInterruptibly } from './interruptible.ts';
import { learnFromSources } from './learn-sources.ts';
import { clearProgress, printLeftovers, probeDeployment } from './probe-deployment.ts';

const flags: Flags = {
  'base-url': textFlag('URL', 'the deployment, an address that ends in /api/v1'),
  out: textFlag('FILE', 'where the profile is written (default: standard output)'),
  force: confirmFlag('let --out replace an existing file'),
  profile: textFlag('P', 'what is known already, such as operations: paths are never guessed'),
  ...sourceFlags,
  create: confirmFlag(
    'create without asking (on a terminal it asks; elsewhere nothing is created without this)',
  ),
  'max-wait': textFlag('TIME', 'longest wait for one answer, such as 62s or 370s (default: 15s)'),
  'control-url': textFlag('URL', 'control API of a mock: its clock is moved'),
  ...connectionFlags,
  ...receiverFlags,
  ...probeFlags,
};

const notes = `With --openapi or --har, what a description or a recording says of operations is learnt first, and each operation is called once.
${probeHelp}
Exit codes: 0 a profile was written, 2 usage, profile or credentials, 3 the deployment can't be reached or gives
an unexpected answer, or nothing could be found out, 4 the command itself failed or --out could no longer be written, 130 it was interrupted.`;

/** `sitepub discover`: probes a deployment and writes its profile. */
export async function discover(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, flags, { usage: 'sitepub discover --base-url URL', notes });
  if (!given) return 0;
  return commandInterruptibly((signal, bePatient) => discoverInterruptibly(given, signal, bePatient));
}

async function discoverInterruptibly(
  given: Given,
  signal: AbortSignal,
  bePatient: () => void,
): Promise<number> {
  const out = readNewOut(given, readSourceFiles(given));
  const known = readKnown(given);
  const options = readProbeOptions(given);
  requireNewJournal(given.text('journal'), out);
  const sources = readSourcesFor(given, options);
  const learning = sources && (await learnFromSources(sources, known));
  if (sources && !learning) return 3;
  const mayCreate = async (plan: readonly string[]) =>
    given.switched('create') || (await askToCreate(plan, signal));
  const learnt = learning && { learning };
  bePatient();
  const discovery = await probeDeployment({ ...options, ...learnt, given: known, mayCreate, signal });
  return finish(discovery, { out, options, learning, known: Object.keys(known).length });
}

async function askToCreate(plan: readonly string[], signal: AbortSignal): Promise<boolean> {
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
  clearProgress();
  const list = plan.map((line) => `  - ${visible(line)}`).join('\n');
  console.error(
    `${isTerminal ? 'To find out more, this is created' : 'Nothing is created without --create, which would be'}:\n${list}`,
  );
  if (!isTerminal) return false;
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // While it asks, the terminal sends no signal.
  prompt.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return /^y(es)?$/i.test((await prompt.question('Create it? [y/N] ', { signal })).trim());
  } catch {
    return false;
  } finally {
    prompt.close();
  }
}

interface Outcome {
  out: string | undefined;
  options: ProbeOptions;
  learning: Learning | undefined;
  /** How many values were given. */
  known: number;
}

async function finish(discovery: Discovery, outcome: Outcome): Promise<number> {
  const { out, options } = outcome;
  const { stopped, found } = discovery;
  if (stopped) console.error(`sitepub: ${visible(stopped.reason)}`);
  if (stopped?.kind === 'credentials') return 2;
  // What was seen before a login that failed says nothing of the deployment.
  const isWritten = discovery.hasSession && found.length > 0;
  const isSaved = !isWritten || (await saveProfile(out, discovery.profile));
  console.error(
    isWritten ? summaryOf(discovery, { ...outcome, out: isSaved ? out : undefined }) : sayNothing(discovery),
  );
  printLeftovers(discovery, options.journal);
  if (!isSaved) return outputLost;
  if (stopped?.kind === 'interrupted') return 130;
  if (stopped?.kind === 'failed') return 4;
  return stopped || found.length === 0 ? 3 : 0;
}

function sayNothing({ hasSession, count: { requests, logins } }: Discovery): string {
  const why = hasSession ? 'nothing was found out' : 'what is seen before a login says too little';
  return `no profile is written: ${why} (${requests} requests, ${logins} logins)`;
}

function summaryOf(
  { found, missed, called, count, values }: Discovery,
  { out, options, learning, known }: Outcome,
): string {
  const certain = learning?.operations.filter(({ isCertain }) => isCertain).map(({ gap }) => gap.id) ?? [];
  const tried = certain.filter((id) => called.includes(id));
  const kept = tried.filter((id) => found.includes(id));
  const lines = [
    `${found.length} gaps found out, ${missed.length} not${known > 0 ? `, ${known} given` : ''} (${count.requests} requests, ${count.logins} logins)`,
    out !== undefined &&
      missed.length > 0 &&
      `  not found out: ${missed.join(', ')}; the profile says why, and how to fill them`,
    learning !== undefined &&
      `  ${certain.length} operations learnt, of which ${tried.length} were called, and ${kept.length} of these stand`,
    sayVerifiable(makeProfile(values, { name: 'discover', source: 'what was found out' })),
    out !== undefined && `  the profile is ${visible(out)}`,
    out !== undefined &&
      `  next: sitepub test --base-url ${plainWord(options.baseUrl)} --profile ${plainWord(out)}`,
  ];
  return lines.filter((line) => line !== false).join('\n');
}
