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
import { type Given, readSecret } from './flags.ts';
import {
  groupOf,
  groupsOf,
  readChoice,
  readDuration,
  readNames,
  readNumber,
  readRequestTimeout,
  readSeed,
} from './read-values.ts';
import { UsageError } from './usage-error.ts';

const tiers: readonly Tier[] = ['smoke', 'safe', 'full'];

/** The options of a run, from flags and environment. Throws UsageError. */
export async function readTestOptions(given: Given): Promise<SuiteOptions> {
  const controlUrl = readUrl(given, 'control-url');
  const controlToken = readSecret('SITEPUB_CONTROL_TOKEN', given.environment);
  const baseUrl = readBaseUrl(given);
  const users = readUsers(given);
  const connection = readConnection(given, baseUrl);
  // Before the run, so that a wrong address is reported at once.
  const control =
    controlUrl === undefined ? undefined : await orUsageError(openControl(controlUrl, controlToken));
  const profile = await chooseProfile(given, control);
  return {
    baseUrl,
    profile: { name: profile.name, stated: statedValues(profile) },
    ...users,
    ...dropEmpty({
      connection,
      controlUrl,
      controlToken,
      // Beyond 10,000 cases it would be a load test.
      cases: readNumber(given, 'cases', 10_000),
      seed: readSeed(given),
    }),
    tier: readChoice(given, 'suite', tiers) ?? 'safe',
    only: await readIds(given, 'only'),
    skip: await readIds(given, 'skip'),
    maxWaitMs: readDuration(given, 'max-wait', 10_000),
    arrivalMs: readDuration(given, 'arrival-timeout', 10_000, 1),
    requestTimeoutMs: readRequestTimeout(given),
    keepsExchanges: given.text('har') !== undefined || given.text('evidence') !== undefined,
    ...readOwnFiles(given, 'run'),
    mayLeaveBehind: given.switched('leave-behind'),
    receiver: readReceiver(given),
  };
}

type Users = Pick<SuiteOptions, 'account' | 'apiKey' | 'siteId' | 'second' | 'other'>;

/** Throws UsageError also where a user or a site that should be another one is that of the run. */
function readUsers(given: Given): Users {
  const siteId = readSiteId(given, '');
  const second = readAccount(given, 'SECOND_');
  const other = readOtherAccount(given);
  const { account, apiKey } = readCredentials(given);
  const refuse = (one: string, same: string, wanted: string) => {
    throw new UsageError(`SITEPUB_${one} and SITEPUB_${same} are the same; give ${wanted}, or leave it out`);
  };
  if (account && other?.username === account.username)
    refuse('USERNAME', 'OTHER_USERNAME', 'a user of another tenant');
  if (other?.siteId !== undefined && other.siteId === siteId)
    refuse('SITE_ID', 'OTHER_SITE_ID', 'a site of another tenant');
  if (account && second?.username === account.username)
    refuse('USERNAME', 'SECOND_USERNAME', 'another user of the tenant');
  return dropEmpty({ account, apiKey, siteId, second, other });
}

/** The profile that was named, or that of the mock at the control URL, or else the gaps' defaults alone. */
async function chooseProfile(given: Given, control: Control | undefined): Promise<Profile> {
  const named = readProfile(given);
  if (named) return named;
  if (!control) return noProfile;
  const { name, values } = await orUsageError(control.readProfile());
  return makeProfile(values, { name, source: "the mock's health answer" });
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
