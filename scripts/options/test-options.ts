// The flags and the environment of `sitepub test`, and what they mean.
import { join } from 'node:path';
import { defaultCases } from '../../contract-tests/checks/generated-cases/case-settings.ts';
import type { SuiteOptions, Tier } from '../../contract-tests/core/suite-options.ts';
import { type Control, ControlError, openControl } from '../../contract-tests/deployment/control-api.ts';
import { defaultFolder } from '../../contract-tests/deployment/login-budget.ts';
import { nearest } from '../../openapi/nearest.ts';
import { loadProfile, makeProfile, noProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { readRequirements } from '../../openapi/registers.ts';
import { readAccount, readNumber, readSiteId, readUrl, receiverFlags } from './deployment-options.ts';
import { type Flags, type Given, readSecret } from './flags.ts';
import { readDuration } from './read-duration.ts';
import { UsageError } from './usage-error.ts';

export const testFlags: Flags = {
  'base-url': { kind: 'text', value: 'URL', help: 'the address under test, which ends in /api/v1' },
  profile: {
    kind: 'text',
    value: 'P',
    help: 'how the deployment fills the gaps: path of a profile, or name of one of ours',
  },
  suite: {
    kind: 'text',
    value: 'TIER',
    help: 'smoke (creates nothing), safe (default), or full (uses up shared allowances)',
  },
  only: { kind: 'list', value: 'ID…', help: 'only these requirements or checks' },
  skip: { kind: 'list', value: 'ID…', help: 'not these requirements or checks' },
  'max-wait': {
    kind: 'text',
    value: 'TIME',
    help: 'longest wait that a check may spend on time alone, such as 90s or 36m (default: 10s)',
  },
  cases: {
    kind: 'text',
    value: 'N',
    help: `generated cases that each check of --suite full makes at most that makes any (default: ${defaultCases}; 0 for none)`,
  },
  seed: {
    kind: 'text',
    value: 'N',
    help: 'what generated cases are drawn from, to make those of an earlier run again (default: drawn, and told)',
  },
  'control-url': {
    kind: 'text',
    value: 'URL',
    help: 'control API of a mock: its clock is moved instead of waiting; without --profile it says which profile it speaks',
  },
  ...receiverFlags,
  'expected-failures': {
    kind: 'text',
    value: 'F',
    help: 'known failures that are accepted: a YAML map of requirement or check id to reason',
  },
  report: {
    kind: 'list',
    value: 'FORMAT=PATH…',
    help: 'write reports: json=out.json, junit=…, html=…, markdown=…',
  },
  journal: {
    kind: 'text',
    value: 'F',
    help: 'where the run enters what it is about to create (default: a file in the temporary folder)',
  },
  'dry-run': {
    kind: 'switch',
    help: 'send nothing; say what would be sent, how long it would take, and what would stay',
  },
  help: { kind: 'switch', help: 'show this' },
};

export const environmentHelp = `Credentials come from the environment, or from files that SITEPUB_…_FILE names:
  SITEPUB_USERNAME, SITEPUB_PASSWORD                a user of a tenant
  SITEPUB_SITE_ID                                   a site of that tenant
  SITEPUB_API_KEY                                   an API key of that tenant
  SITEPUB_SECOND_USERNAME, SITEPUB_SECOND_PASSWORD  a second user of that tenant
  SITEPUB_OTHER_USERNAME, SITEPUB_OTHER_PASSWORD, SITEPUB_OTHER_SITE_ID
                                                    a user and a site of another tenant
  SITEPUB_CONTROL_TOKEN                             what the control API asks for
Exit codes: 0 every requirement that was verified holds, 1 one failed, 2 usage, profile or credentials,
3 the deployment can't be reached or nothing could be verified, 4 the suite itself failed, 130 the run was interrupted (what was created is cleaned up; once more ends it at once).`;

/** What a run is told, from flags and environment. Throws UsageError. */
export async function readTestOptions(given: Given): Promise<SuiteOptions> {
  const controlUrl = given.text('control-url') && readUrl(given, 'control-url');
  const controlToken = readSecret('SITEPUB_CONTROL_TOKEN');
  const siteId = readSiteId('SITEPUB_SITE_ID');
  const otherSiteId = readSiteId('SITEPUB_OTHER_SITE_ID');
  const account = readAccount('SITEPUB_USERNAME', 'SITEPUB_PASSWORD');
  const second = readAccount('SITEPUB_SECOND_USERNAME', 'SITEPUB_SECOND_PASSWORD');
  const other = readAccount('SITEPUB_OTHER_USERNAME', 'SITEPUB_OTHER_PASSWORD');
  const apiKey = readSecret('SITEPUB_API_KEY');
  if (!account && !apiKey) {
    throw new UsageError(
      'there are no credentials; set SITEPUB_USERNAME and SITEPUB_PASSWORD, or SITEPUB_API_KEY',
    );
  }
  const baseUrl = readUrl(given, 'base-url');
  const control = await connectControl(controlUrl || undefined, controlToken);
  const profile = await chooseProfile(given.text('profile'), control);
  const listen = given.text('receiver-listen');
  const receiverUrl = given.text('receiver-url') && readUrl(given, 'receiver-url');
  return {
    baseUrl,
    profile: { name: profile.name, stated: statedValues(profile) },
    ...(account && { account }),
    ...(second && { second }),
    ...(other && { other: { ...other, ...(otherSiteId !== undefined && { siteId: otherSiteId }) } }),
    ...(apiKey && { apiKey }),
    ...(siteId !== undefined && { siteId }),
    tier: readTier(given.text('suite') ?? 'safe'),
    only: await readIds(given, 'only'),
    skip: await readIds(given, 'skip'),
    ...readCaseOptions(given),
    maxWaitMs: readDuration('--max-wait', given.text('max-wait') ?? '10s'),
    ...(controlUrl && { controlUrl }),
    ...(controlToken && { controlToken }),
    journal: given.text('journal') ?? defaultJournal(),
    receiver: { ...(listen && { listen }), ...(receiverUrl && { url: receiverUrl }) },
  };
}

/** The profile that was named; else the one that the mock at the control URL speaks; else the gaps' defaults alone. */
async function chooseProfile(named: string | undefined, control: Control | undefined): Promise<Profile> {
  if (named !== undefined) return loadProfile(named);
  if (!control) return noProfile;
  const { name, values } = await control.readProfile();
  return makeProfile(values, { name, source: "the mock's health answer" });
}

/** Found out before the run, so that a wrong address is known at once. */
async function connectControl(
  url: string | undefined,
  token: string | undefined,
): Promise<Control | undefined> {
  if (url === undefined) return undefined;
  try {
    return await openControl(url, token);
  } catch (error) {
    if (error instanceof ControlError) throw new UsageError(error.message);
    throw error;
  }
}

/** Beside the ledger of logins; each run has a file of its own. */
function defaultJournal(): string {
  return join(defaultFolder(), `run-${Date.now()}-${process.pid}.jsonl`);
}

/** The most cases are a bound on mistakes: so many requests at once are no test any more. */
function readCaseOptions(given: Given): Pick<SuiteOptions, 'cases' | 'seed'> {
  const cases = readNumber(given, 'cases', 10_000);
  const seed = readNumber(given, 'seed', 2 ** 32 - 1);
  return { ...(cases !== undefined && { cases }), ...(seed !== undefined && { seed }) };
}

const tiers: readonly Tier[] = ['smoke', 'safe', 'full'];

function readTier(text: string): Tier {
  const tier = tiers.find((name) => name === text);
  if (!tier) throw new UsageError(`--suite is "${text}"; expected ${tiers.join(', ')}`);
  return tier;
}

/** The checks are loaded for their names only where some are named: the run loads them where they are made. */
async function readIds(given: Given, flag: 'only' | 'skip'): Promise<string[]> {
  const ids = given.list(flag);
  if (ids.length === 0) return [];
  const { checks } = await import('../../contract-tests/checks/index.ts');
  const known = [...readRequirements().map(({ id }) => id), ...checks.map(({ id }) => id)];
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return ids;
  const guess = nearest(unknown, known);
  const hint = guess ? `; did you mean "${guess}"?` : '';
  throw new UsageError(`--${flag}: there is no requirement or check "${unknown}"${hint}`);
}
