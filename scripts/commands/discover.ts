import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { plainWord } from '../../contract-tests/core/shell-word.ts';
import { ControlError } from '../../contract-tests/deployment/control-api.ts';
import { canBeDeleted } from '../../contract-tests/deployment/created-resources.ts';
import { type Discovery, discover as probeDeployment } from '../../contract-tests/discover/discover.ts';
import type { DiscoverOptions } from '../../contract-tests/discover/discover-options.ts';
import { ReceiverError } from '../../contract-tests/push-receiver/push-receiver.ts';
import { usesOfOperations } from '../../contract-tests/run/operation-uses.ts';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import { visible } from '../../openapi/visible-text.ts';
import { connectionFlags, connectionHelp, readConnection } from '../options/connection-options.ts';
import {
  dropEmpty,
  readCredentials,
  readOptionalUrl,
  readReceiver,
  readSiteId,
  readUrl,
  receiverFlags,
} from '../options/deployment-options.ts';
import {
  type Flags,
  type Given,
  readFlagsOrHelp,
  readSecret,
  switchFlag,
  textFlag,
} from '../options/flags.ts';
import { readDuration, readTimeout } from '../options/read-duration.ts';
import { requestTimeoutFlag } from '../options/shared-flags.ts';
import { readOwnFiles } from '../options/test-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { outputLost } from '../output/exit-code.ts';
import { readOut, requireNewJournal } from '../output/output-file.ts';
import { sayWaits } from '../output/progress.ts';
import { saveProfile } from '../output/save-profile.ts';
import { commandInterruptibly } from './interruptible.ts';

const flags: Flags = {
  'base-url': textFlag('URL', 'the deployment, an address that ends in /api/v1'),
  out: textFlag('FILE', 'where the profile is written (default: standard output)'),
  force: switchFlag('let --out replace an existing file'),
  profile: textFlag('P', 'what is known already, such as operations: paths are never guessed'),
  create: switchFlag(
    'create without asking (on a terminal it asks; elsewhere nothing is created without this)',
  ),
  'max-wait': textFlag('TIME', 'longest wait for one answer, such as 62s or 370s (default: 15s)'),
  'request-timeout': requestTimeoutFlag,
  'control-url': textFlag('URL', 'control API of a mock: its clock is moved'),
  ...connectionFlags,
  ...receiverFlags,
  journal: textFlag(
    'F',
    'file in which resources are listed before they are created (default: one in the temporary folder)',
  ),
};

const notes = `Credentials come from the environment, or from files that SITEPUB_…_FILE names:
  SITEPUB_USERNAME, SITEPUB_PASSWORD  a user of a tenant
  SITEPUB_SITE_ID                     a site of that tenant, on which subscriptions are created
  SITEPUB_API_KEY                     an API key of that tenant, if there is no user
  SITEPUB_OTHER_SITE_ID               a site of another tenant, to see how it is refused
  SITEPUB_CONTROL_TOKEN               the token of the control API
${connectionHelp}
Exit codes: 0 a profile was written, 2 usage, profile or credentials, 3 the deployment can't be reached or gives
an unexpected answer, or nothing could be found out, 4 the command itself failed or the profile could not be written to --out, 130 it was interrupted.`;

/** `sitepub discover`: probes a deployment and writes its profile. */
export async function discover(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, flags, { usage: 'sitepub discover --base-url URL', notes });
  if (!given) return 0;
  return commandInterruptibly((signal) => discoverInterruptibly(given, signal));
}

async function discoverInterruptibly(given: Given, signal: AbortSignal): Promise<number> {
  const out = readNewOut(given);
  const options = readOptions(given);
  requireNewJournal(given.text('journal'));
  const mayCreate = async (plan: readonly string[]) =>
    given.switched('create') || (await askToCreate(plan, signal));
  const discovery = await probe({ ...options, mayCreate, signal });
  return finish(discovery, { out, options });
}

type ProbeOptions = Omit<DiscoverOptions, 'mayCreate' | 'signal'>;

/** An error that prevents the start is a wrong call of the command. */
async function probe(options: DiscoverOptions): Promise<Discovery> {
  try {
    return await probeDeployment(options);
  } catch (error) {
    if (error instanceof ControlError || error instanceof ReceiverError) throw new UsageError(error.message);
    throw error;
  } finally {
    clearProgress();
  }
}

/** Checked before anything is sent, so that no discovery is in vain. */
function readNewOut(given: Given): string | undefined {
  const out = readOut(given);
  if (out !== undefined && existsSync(out) && !given.switched('force'))
    throw new UsageError(`--out ${out} exists already; name another file, or replace it with --force`);
  return out;
}

function readOptions(given: Given): ProbeOptions {
  const credentials = readCredentials();
  const siteId = readSiteId('SITEPUB_SITE_ID');
  const foreignSiteId = readSiteId('SITEPUB_OTHER_SITE_ID');
  const controlToken = readSecret('SITEPUB_CONTROL_TOKEN');
  const known = given.text('profile');
  const controlUrl = readOptionalUrl(given, 'control-url');
  const baseUrl = readUrl(given, 'base-url');
  const connection = readConnection(given, baseUrl);
  return {
    baseUrl,
    ...credentials,
    ...dropEmpty({ connection, siteId, foreignSiteId, controlUrl, controlToken }),
    given: known === undefined ? {} : statedValues(loadProfile(known)),
    maxWaitMs: readDuration('--max-wait', given.text('max-wait') ?? '15s'),
    requestTimeoutMs: readTimeout(given, 'request-timeout', '30s'),
    receiver: readReceiver(given),
    uses: usesOfOperations(),
    ...readOwnFiles(given, 'discover'),
    ...(process.stderr.isTTY ? { onProgress: showProgress } : { onWait: sayWaits() }),
  };
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
  try {
    return /^y(es)?$/i.test((await prompt.question('Create it? [y/N] ', { signal })).trim());
  } catch {
    return false;
  } finally {
    prompt.close();
  }
}

/** One line, which is overwritten each time. */
function showProgress(text: string): void {
  process.stderr.write(`\r\u001b[K${visible(text)} …`);
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}

interface Outcome {
  out: string | undefined;
  options: ProbeOptions;
}

async function finish(discovery: Discovery, { out, options }: Outcome): Promise<number> {
  const { stopped, found, leftovers } = discovery;
  if (stopped) console.error(`sitepub: ${visible(stopped.reason)}`);
  if (stopped?.kind === 'credentials') return 2;
  // What was seen before a login that failed says nothing of the deployment.
  const isWritten = discovery.hasSession && found.length > 0;
  const isSaved = !isWritten || (await saveProfile(out, discovery.profile));
  console.error(summaryOf(discovery, { out: isWritten && isSaved ? out : undefined, options }));
  printLeftovers(leftovers, options);
  if (!isSaved) return outputLost;
  if (stopped?.kind === 'interrupted') return 130;
  if (stopped?.kind === 'failed') return 4;
  return stopped || found.length === 0 ? 3 : 0;
}

function printLeftovers(leftovers: Discovery['leftovers'], { journal }: ProbeOptions): void {
  for (const { what, id, target } of leftovers)
    console.error(
      visible(
        `  left behind: ${what} ${id ?? '(its identifier is not known)'}${target ? `, ${target}` : ''}`,
      ),
    );
  if (leftovers.some(canBeDeleted))
    console.error(
      `  what can be deleted of it is listed in ${visible(`${journal}`)}; \`sitepub cleanup --journal ${plainWord(`${journal}`)}\` does it, once its profile says how`,
    );
}

function summaryOf({ found, missed, count }: Discovery, { out, options }: Outcome): string {
  const known = Object.keys(options.given).length;
  const lines = [
    `${found.length} gaps found out, ${missed.length} not${known > 0 ? `, ${known} given` : ''} (${count.requests} requests, ${count.logins} logins)`,
    out !== undefined &&
      missed.length > 0 &&
      `  not found out: ${missed.join(', ')}; the profile says why, and how to fill them`,
    out !== undefined && `  the profile is ${visible(out)}`,
    out !== undefined &&
      `  next: sitepub test --base-url ${plainWord(options.baseUrl)} --profile ${plainWord(out)}`,
  ];
  return lines.filter((line) => line !== false).join('\n');
}
