import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { ControlError } from '../../contract-tests/deployment/control-api.ts';
import { type Discovery, discover as discoverGaps } from '../../contract-tests/discover/discover.ts';
import type { DiscoverOptions } from '../../contract-tests/discover/options.ts';
import { ReceiverError } from '../../contract-tests/push-receiver/push-receiver.ts';
import {
  filesOf,
  type ProbeOptions,
  readKnown,
  readProbeOptions,
  readSourceOptions,
  refuseCallFlags,
} from '../options/discover-options.ts';
import { type Given, withoutFlags } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';
import { useDeployment } from '../options/use-config.ts';
import { printLeftovers, summarizeCalls } from '../output/discovery-summary.ts';
import { outputLost } from '../output/finish-report.ts';
import { readNewOut, requireNewJournal, saveProfile } from '../output/output-file.ts';
import { drawLine, reportWaits } from '../output/progress.ts';
import { ask, canAsk } from '../screen/ask.ts';
import { commandInterruptibly } from '../screen/interruption.ts';
import { discoverByReading, learnFromSources } from './discover-by-reading.ts';

export async function discover(given: Given): Promise<number> {
  const isReading = given.switched('no-calls');
  if (isReading) refuseCallFlags(given);
  const all = await addDeployment(given, isReading);
  return commandInterruptibly((signal, allowSlowCleanup) =>
    isReading ? read(all) : probe(all, given.words, signal, allowSlowCleanup),
  );
}

/** Ignores a configured profile that does not exist yet because --out will create it. */
async function addDeployment(all: Given, isReading: boolean): Promise<Given> {
  const isWanted = (member: string) => !isReading || !member.startsWith('credentials.');
  const given = await useDeployment(all, isWanted);
  const [out, profile] = [given.text('out'), given.text('profile')];
  const isNew = out && profile && resolve(out) === resolve(profile) && !existsSync(profile);
  return isNew ? withoutFlags(given, ['profile']) : given;
}

async function read(given: Given): Promise<number> {
  const sources = readSourceOptions(given);
  if (!sources)
    throw new UsageError(
      '--no-calls has nothing to read; give a description with --openapi, or a recording with --har',
    );
  const out = readNewOut(given, filesOf(sources));
  return discoverByReading({ sources, known: readKnown(given), out });
}

/** `words`: the arguments, before the configuration replaced a name. */
async function probe(
  given: Given,
  words: readonly string[],
  signal: AbortSignal,
  allowSlowCleanup: () => void,
): Promise<number> {
  const sources = readSourceOptions(given);
  const out = readNewOut(given, sources ? filesOf(sources) : []);
  const known = readKnown(given);
  const options = readProbeOptions(given);
  requireNewJournal(given.text('journal'), out);
  const learning = sources && (await learnFromSources(sources, known));
  const mayCreate = async (plan: readonly string[]) =>
    given.switched('create') || (await askToCreate(plan, signal));
  allowSlowCleanup();
  const discovery = await callDeployment({
    ...{ ...options, given: known, mayCreate, signal },
    ...(learning && { learning }),
  });
  const deployment = words.length > 0 ? words : ['--base-url', options.baseUrl];
  return finish(discovery, { out, options, known: Object.keys(known).length, deployment });
}

/** Errors before the first call are UsageErrors. */
async function callDeployment(options: DiscoverOptions): Promise<Discovery> {
  const isDrawn = process.stderr.isTTY;
  const onProgress = (text: string) => drawLine(`${visible(text)} …`);
  try {
    return await discoverGaps({ ...options, ...(isDrawn ? { onProgress } : { onWait: reportWaits() }) });
  } catch (error) {
    if (error instanceof ControlError || error instanceof ReceiverError) throw new UsageError(error.message);
    throw error;
  } finally {
    if (isDrawn) drawLine('');
  }
}

async function askToCreate(plan: readonly string[], signal: AbortSignal): Promise<boolean> {
  if (process.stderr.isTTY) drawLine('');
  const list = plan.map((line) => `  - ${visible(line)}`).join('\n');
  console.error(
    `${canAsk() ? 'To find out more, discover would create' : 'Without --create, discover creates nothing. It would create'}:\n${list}`,
  );
  return canAsk() && /^y(es)?$/i.test((await ask('Create it? [y/N] ', signal)) ?? '');
}

interface Outcome {
  out: string | undefined;
  options: ProbeOptions;
  /** Number of known values. */
  known: number;
  /** The deployment as the command line named it. */
  deployment: readonly string[];
}

function finish(discovery: Discovery, { out, options, known, deployment }: Outcome): number {
  const { stopped, found } = discovery;
  if (stopped) console.error(`sitepub: ${visible(stopped.reason)}`);
  if (stopped?.kind === 'credentials') return 2;
  // Answers without a login say nothing about the deployment.
  const isWritten = discovery.hasSession && found.length > 0;
  const isSaved = !isWritten || saveProfile(out, discovery.profile);
  const saved = isSaved ? out : undefined;
  console.error(
    isWritten ? summarizeCalls(discovery, { deployment, known, out: saved }) : describeNothing(discovery),
  );
  printLeftovers(discovery, options.journal);
  if (!isSaved) return outputLost;
  if (stopped?.kind === 'interrupted') return 130;
  if (stopped?.kind === 'failed') return 4;
  return stopped || found.length === 0 ? 3 : 0;
}

function describeNothing({ hasSession, count: { requests, logins } }: Discovery): string {
  const why = hasSession ? 'discovery found nothing' : 'the findings without a login are not enough';
  return `no profile is written: ${why} (${requests} requests, ${logins} logins)`;
}
