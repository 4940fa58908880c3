import type { SuiteOptions, Tier } from '../../contract-tests/options.ts';
import { createReport, type Report } from '../../contract-tests/report.ts';
import { terminalReport } from '../../contract-tests/reports/terminal.ts';
import { runInVitest } from '../../contract-tests/run-in-vitest.ts';
import { nearest } from '../../openapi/nearest.ts';
import { loadProfile, makeProfile, noProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { readRequirements } from '../../openapi/registers.ts';
import { version } from '../../openapi/version.ts';
import { readDuration } from '../duration.ts';
import { exitCodeOf } from '../exit-code.ts';
import { acceptFailures, readExpectedFailures, tellGithub } from '../finish-report.ts';
import { describeFlags, type Flags, type Given, readFlags, readSecret } from '../flags.ts';
import { readReportTargets, writeReports } from '../report-targets.ts';
import { readAccount, readSiteId, readUrl } from '../suite-options.ts';
import { UsageError } from '../usage-error.ts';

const flags: Flags = {
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
  'control-url': {
    kind: 'text',
    value: 'URL',
    help: 'control API of a mock; without --profile it is asked which profile it speaks',
  },
  'receiver-listen': {
    kind: 'text',
    value: 'HOST:PORT',
    help: 'where the webhook receiver listens (default: 127.0.0.1, any free port)',
  },
  'receiver-url': {
    kind: 'text',
    value: 'URL',
    help: 'address under which the deployment reaches that receiver',
  },
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
  help: { kind: 'switch', help: 'show this' },
};

const environmentHelp = `Credentials come from the environment, or from files that SITEPUB_…_FILE names:
  SITEPUB_USERNAME, SITEPUB_PASSWORD                a user of a tenant
  SITEPUB_SITE_ID                                   a site of that tenant
  SITEPUB_API_KEY                                   an API key of that tenant
  SITEPUB_SECOND_USERNAME, SITEPUB_SECOND_PASSWORD  a second user of that tenant
  SITEPUB_OTHER_USERNAME, SITEPUB_OTHER_PASSWORD, SITEPUB_OTHER_SITE_ID
                                                    a user and a site of another tenant
Exit codes: 0 every requirement that was verified holds, 1 one failed, 2 usage, profile or credentials,
3 the deployment can't be reached or nothing could be verified, 4 the suite itself failed.`;

/** `sitepub test`: runs the contract suite against a deployment. */
export async function test(args: readonly string[]): Promise<number> {
  const given = readFlags(args, flags);
  if (given.switched('help')) {
    console.log(`sitepub test --base-url URL\n\n${describeFlags(flags)}\n\n${environmentHelp}`);
    return 0;
  }
  const targets = readReportTargets(given.list('report'));
  const options = await readOptions(given);
  const expected = await readExpectedFailures(given.text('expected-failures'));
  const report = acceptFailures(await runAndReport(options), expected);
  process.stdout.write(terminalReport(report, { colour: process.stdout.isTTY && !process.env.NO_COLOR }));
  tellGithub(report);
  writeReports(report, targets);
  if (report.aborted) console.error(`sitepub: ${report.aborted.reason}`);
  return exitCodeOf(report);
}

async function runAndReport(options: SuiteOptions): Promise<Report> {
  const startedAt = new Date();
  const run = await runInVitest(options);
  return createReport(run, { options, version, startedAt });
}

async function readOptions(given: Given): Promise<SuiteOptions> {
  const controlUrl = given.text('control-url');
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
  const profile = await chooseProfile(given.text('profile'), controlUrl);
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
    maxWaitMs: readDuration('--max-wait', given.text('max-wait') ?? '10s'),
    ...(controlUrl && { controlUrl }),
    receiver: { ...(listen && { listen }), ...(receiverUrl && { url: receiverUrl }) },
  };
}

/** The profile that was named; else the one that the mock at the control URL speaks; else the gaps' defaults alone. */
async function chooseProfile(named: string | undefined, controlUrl: string | undefined): Promise<Profile> {
  if (named !== undefined) return loadProfile(named);
  if (controlUrl === undefined) return noProfile;
  const url = `${controlUrl.replace(/\/$/, '')}/health`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const { profile } = (await response.json()) as {
      profile: { name: string; values: Record<string, unknown> };
    };
    return makeProfile(profile.values, { name: profile.name, source: url });
  } catch (error) {
    throw new UsageError(
      `--control-url ${controlUrl} does not answer as a mock's control API does (${error instanceof Error ? error.message : error}); leave it out, or name the profile with --profile`,
    );
  }
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
