// The flags and the environment of `sitepub test`, and what they mean.
import { join } from 'node:path';
import { defaultCases } from '../../contract-tests/checks/generated-cases/case-settings.ts';
import type { SuiteOptions, Tier } from '../../contract-tests/core/suite-options.ts';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { type Control, ControlError, openControl } from '../../contract-tests/deployment/control-api.ts';
import { ownFolder } from '../../contract-tests/deployment/own-folder.ts';
import { makeProfile, noProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { readRequirements } from '../../openapi/registers.ts';
import { connectionFlags, connectionHelp, readConnection } from './connection-options.ts';
import { demandFlags } from './demand-options.ts';
import {
  dropEmpty,
  readAccount,
  readCredentials,
  readOptionalUrl,
  readOtherAccount,
  readReceiver,
  readSiteId,
  readUrl,
  receiverFlags,
} from './deployment-options.ts';
import {
  type Environment,
  type Flags,
  type Given,
  listFlag,
  readSecret,
  switchFlag,
  textFlag,
} from './flags.ts';
import { readDuration, readRequestTimeout, readTimeout } from './read-duration.ts';
import { readNames } from './read-names.ts';
import { readNumber } from './read-number.ts';
import { groupOf, groupsOf } from './requirement-groups.ts';
import { readProfile, reportFlags, requestTimeoutFlag } from './shared-flags.ts';
import { UsageError } from './usage-error.ts';

export const testFlags: Flags = {
  'base-url': textFlag('URL', 'the address under test, which ends in /api/v1'),
  profile: textFlag('P', 'how the deployment fills the gaps: path of a profile, or name of a packaged one'),
  suite: textFlag('TIER', 'smoke (creates nothing), safe (default), or full (uses up shared allowances)'),
  only: listFlag('ID…', 'only these requirements, groups of them such as HOOK, or checks'),
  skip: listFlag('ID…', 'not these requirements, groups of them, or checks'),
  'max-wait': textFlag('TIME', 'longest time that a check may only wait, such as 90s or 36m (default: 10s)'),
  'arrival-timeout': textFlag(
    'TIME',
    'how long to wait for a push before the run goes on (default: 10s); what comes within a minute still counts, with the remark `late`',
  ),
  'request-timeout': requestTimeoutFlag('three'),
  'fail-on': listFlag(
    'ID…',
    'notices that make the exit code 1: drift, the id of a gap, or that of a remark',
  ),
  ...demandFlags,
  cases: textFlag(
    'N',
    `most generated cases of a check of --suite full (default: ${defaultCases}; 0 for none)`,
  ),
  seed: textFlag(
    'N',
    'seed of the generated cases, to repeat those of an earlier run (default: random, and reported)',
  ),
  'control-url': textFlag(
    'URL',
    'control API of a mock: its clock is moved instead of waiting, and without --profile its profile is used',
  ),
  ...connectionFlags,
  ...receiverFlags,
  ...reportFlags,
  har: textFlag('FILE', 'write the exchanges of the run, without secrets, as an HTTP archive'),
  evidence: textFlag(
    'DIR',
    'write a folder to hand on: the report in every form, the exchanges, the profile, and how the run was made',
  ),
  journal: textFlag(
    'F',
    'file in which the run lists resources before it creates them (default: one in the temporary folder)',
  ),
  'leave-behind': switchFlag(
    'run although more than 12 subscriptions, sites or other things of a kind will stay, because nothing says how to delete them (not asked for with --control-url)',
  ),
  'dry-run': switchFlag(
    'send nothing; print what would be sent, how long it would take, and what would remain',
  ),
};

export const environmentHelp = `Credentials come from the environment, or from files that SITEPUB_…_FILE names:
  SITEPUB_USERNAME, SITEPUB_PASSWORD                a user of a tenant
  SITEPUB_SITE_ID                                   a site of that tenant
  SITEPUB_API_KEY                                   an API key of that tenant
  SITEPUB_SECOND_USERNAME, SITEPUB_SECOND_PASSWORD  a second user of that tenant
  SITEPUB_OTHER_USERNAME, SITEPUB_OTHER_PASSWORD, SITEPUB_OTHER_SITE_ID
                                                    a user and a site of another tenant
  SITEPUB_CONTROL_TOKEN                             the token of the control API
${connectionHelp}
Exit codes: 0 every requirement that was verified holds, 1 one failed or a notice of --fail-on came, 2 usage, profile or credentials,
3 the deployment can't be reached, nothing could be verified, less than --require, --min-verified or --baseline demand, 4 the suite itself failed or an output could not be written, 130 the run was interrupted (what was created is cleaned up; a second interrupt ends it at once).`;

/** The options of a run, from flags and environment. Throws UsageError. */
export async function readTestOptions(
  given: Given,
  environment: Environment = process.env,
): Promise<SuiteOptions> {
  const deployment = await readDeployment(given, environment);
  // Beyond 10,000 cases it would be a load test.
  const cases = readNumber(given, 'cases', 10_000);
  const seed = readNumber(given, 'seed', 2 ** 32 - 1);
  return {
    ...deployment,
    ...dropEmpty({ cases, seed }),
    tier: readTier(given.text('suite') ?? 'safe'),
    only: await readIds(given, 'only'),
    skip: await readIds(given, 'skip'),
    maxWaitMs: readDuration('--max-wait', given.text('max-wait') ?? '10s'),
    arrivalMs: readTimeout(given, 'arrival-timeout', '10s'),
    requestTimeoutMs: readRequestTimeout(given),
    keepsExchanges: given.text('har') !== undefined || given.text('evidence') !== undefined,
    ...readOwnFiles(given, 'run'),
    mayLeaveBehind: given.switched('leave-behind'),
    receiver: readReceiver(given),
  };
}

type Deployment = Pick<
  SuiteOptions,
  | 'baseUrl'
  | 'profile'
  | 'account'
  | 'apiKey'
  | 'siteId'
  | 'connection'
  | 'second'
  | 'other'
  | 'controlUrl'
  | 'controlToken'
>;

/** A deployment, how it is reached, and who calls it. Throws UsageError. */
async function readDeployment(given: Given, environment: Environment): Promise<Deployment> {
  const controlUrl = readOptionalUrl(given, 'control-url');
  const controlToken = readSecret('SITEPUB_CONTROL_TOKEN', environment);
  const baseUrl = readUrl(given, 'base-url');
  const who = readUsers(environment);
  const connection = readConnection(given, baseUrl, environment);
  const control = await connectControl(controlUrl, controlToken);
  const profile = await chooseProfile(given, control);
  return {
    baseUrl,
    profile: { name: profile.name, stated: statedValues(profile) },
    ...who,
    ...dropEmpty({ connection, controlUrl, controlToken }),
  };
}

function readUsers(
  environment: Environment,
): Pick<Deployment, 'account' | 'apiKey' | 'siteId' | 'second' | 'other'> {
  const siteId = readSiteId('SITEPUB_SITE_ID', environment);
  const second = readAccount('SITEPUB_SECOND_USERNAME', 'SITEPUB_SECOND_PASSWORD', environment);
  const other = readOtherAccount(environment);
  const users = { ...readCredentials(environment), ...dropEmpty({ second, other, siteId }) };
  requireOthers(users);
  return users;
}

/** Throws UsageError where a user or a site that should be another one is that of the run. */
function requireOthers({
  account,
  second,
  other,
  siteId,
}: Pick<Deployment, 'account' | 'second' | 'other' | 'siteId'>): void {
  const refuse = (one: string, same: string, wanted: string) => {
    throw new UsageError(`SITEPUB_${one} and SITEPUB_${same} are the same; give ${wanted}, or leave it out`);
  };
  if (account && other?.username === account.username)
    refuse('USERNAME', 'OTHER_USERNAME', 'a user of another tenant');
  if (other?.siteId !== undefined && other.siteId === siteId)
    refuse('SITE_ID', 'OTHER_SITE_ID', 'a site of another tenant');
  if (account && second?.username === account.username)
    refuse('USERNAME', 'SECOND_USERNAME', 'another user of the tenant');
}

/** The profile that was named, or that of the mock at the control URL, or else the gaps' defaults alone. */
async function chooseProfile(given: Given, control: Control | undefined): Promise<Profile> {
  const named = readProfile(given);
  if (named) return named;
  if (!control) return noProfile;
  const { name, values } = await orUsageError(control.readProfile());
  return makeProfile(values, { name, source: "the mock's health answer" });
}

/** Connects before the run, so that a wrong address is reported at once. */
async function connectControl(
  url: string | undefined,
  token: string | undefined,
): Promise<Control | undefined> {
  if (url === undefined) return undefined;
  return orUsageError(openControl(url, token));
}

async function orUsageError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ControlError) throw new UsageError(error.message);
    throw error;
  }
}

/** The folder of the record of recent logins, and a new journal, which lies beside it unless it is given. */
export function readOwnFiles(given: Given, command: 'run' | 'discover'): { folder: string; journal: string } {
  const { path, notice } = ownFolder();
  if (notice !== undefined) console.error(`sitepub: ${visible(notice)}`);
  const usual = join(path, `${command}-${Date.now()}-${process.pid}.jsonl`);
  return { folder: path, journal: given.text('journal') ?? usual };
}

const tiers: readonly Tier[] = ['smoke', 'safe', 'full'];

function readTier(text: string): Tier {
  const tier = tiers.find((name) => name === text);
  if (!tier) throw new UsageError(`--suite is "${text}"; expected ${tiers.join(', ')}`);
  return tier;
}

/** Loads the checks only when a flag names some: otherwise the run alone loads them. */
async function readIds(given: Given, flag: 'only' | 'skip'): Promise<string[]> {
  if (given.list(flag).length === 0) return [];
  const { checks } = await import('../../contract-tests/checks/index.ts');
  const requirements = readRequirements().map(({ id }) => id);
  const known = [...groupsOf(requirements), ...requirements, ...checks.map(({ id }) => id)];
  const noun = 'requirement, group of requirements or check';
  const names = readNames(given, flag, { known, noun, otherwise: '' });
  return names.flatMap((name) => {
    const ofGroup = requirements.filter((id) => groupOf(id) === name);
    return ofGroup.length > 0 ? ofGroup : [name];
  });
}
