// What the flags and the environment of `sitepub test` mean.
import { join } from 'node:path';
import type { SuiteOptions, Tier } from '../../contract-tests/core/suite-options.ts';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { type Control, ControlError, openControl } from '../../contract-tests/deployment/control-api.ts';
import { ownFolder } from '../../contract-tests/deployment/own-folder.ts';
import { makeProfile, noProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { readRequirements } from '../../openapi/registers.ts';
import { readConnection } from './connection-options.ts';
import {
  dropEmpty,
  readAccount,
  readBaseUrl,
  readCredentials,
  readOtherAccount,
  readProfile,
  readReceiver,
  readSiteId,
  readUrl,
} from './deployment-options.ts';
import { type Environment, type Given, readSecret } from './flags.ts';
import {
  groupOf,
  groupsOf,
  readDuration,
  readNames,
  readNumber,
  readRequestTimeout,
  readTimeout,
} from './read-values.ts';
import { UsageError } from './usage-error.ts';

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
  const controlUrl = readUrl(given, 'control-url');
  const controlToken = readSecret('SITEPUB_CONTROL_TOKEN', environment);
  const baseUrl = readBaseUrl(given);
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
