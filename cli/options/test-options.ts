import { join } from 'node:path';
import type { SuiteOptions, Tier } from '../../contract-tests/core/suite-options.ts';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { ControlError, openControl } from '../../contract-tests/deployment/control-api.ts';
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

/** `usual`: prefix of the default journal. Throws UsageError. */
export function readTarget(given: Given, usual: 'run' | 'discover') {
  const baseUrl = readBaseUrl(given);
  const { path: folder, notice } = ownFolder();
  if (notice !== undefined) console.error(`sitepub: ${visible(notice)}`);
  return {
    baseUrl,
    ...dropEmpty({
      siteId: readSiteId(given, ''),
      controlUrl: readUrl(given, 'control-url'),
      controlToken: readSecret('SITEPUB_CONTROL_TOKEN', given.environment),
      connection: readConnection(given, baseUrl),
    }),
    ...readCredentials(given),
    requestTimeoutMs: readRequestTimeout(given),
    receiver: readReceiver(given),
    folder,
    journal: given.text('journal') ?? join(folder, `${usual}-${Date.now()}-${process.pid}.jsonl`),
  };
}

type Target = ReturnType<typeof readTarget>;

const tiers: readonly Tier[] = ['smoke', 'safe', 'full'];

/** Throws UsageError. */
export async function readTestOptions(given: Given): Promise<SuiteOptions> {
  const target = readTarget(given, 'run');
  const others = readOthers(given, target);
  const profile = await chooseProfile(given, target);
  return {
    ...target,
    ...others,
    profile: { name: profile.name, stated: statedValues(profile) },
    // More than 10,000 cases would be a load test.
    ...dropEmpty({ cases: readNumber(given, 'cases', 10_000), seed: readSeed(given) }),
    tier: readChoice(given, 'suite', tiers) ?? 'safe',
    only: await readIds(given, 'only'),
    skip: await readIds(given, 'skip'),
    maxWaitMs: readDuration(given, 'max-wait', 10_000),
    arrivalMs: readDuration(given, 'arrival-timeout', 10_000, 1),
    recordsExchanges: given.text('har') !== undefined || given.text('evidence') !== undefined,
    mayLeaveBehind: given.switched('leave-behind'),
  };
}

/** Throws UsageError if the second or the other user or site is the main one. */
function readOthers(given: Given, { account, siteId }: Target): Pick<SuiteOptions, 'second' | 'other'> {
  const second = readAccount(given, 'SECOND_');
  const other = readOtherAccount(given);
  const refuse = (one: string, same: string, wanted: string) => {
    throw new UsageError(`SITEPUB_${one} and SITEPUB_${same} are the same; give ${wanted}, or leave it out`);
  };
  if (account && other?.username === account.username)
    refuse('USERNAME', 'OTHER_USERNAME', 'a user of another tenant');
  if (other?.siteId !== undefined && other.siteId === siteId)
    refuse('SITE_ID', 'OTHER_SITE_ID', 'a site of another tenant');
  if (account && second?.username === account.username)
    refuse('USERNAME', 'SECOND_USERNAME', 'another user of the tenant');
  return dropEmpty({ second, other });
}

/** The named profile, or the profile of the mock, or the defaults of all gaps. Reports a wrong control URL before the run. */
async function chooseProfile(given: Given, { controlUrl, controlToken }: Target): Promise<Profile> {
  const control =
    controlUrl === undefined ? undefined : await orUsageError(openControl(controlUrl, controlToken));
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

/** Loads the checks only if the flag is given, because runs load them in their thread. */
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
