// `sitepub/vitest`: runs the checks as tests of a project that uses Vitest.
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Tier } from '../contract-tests/core/suite-options.ts';
import { visible, visibleLines } from '../contract-tests/core/visible-text.ts';
import { evidenceOf, presentRows } from '../contract-tests/reports/group-by-verdict.ts';
import type { CheckResult, Report } from '../contract-tests/reports/report.ts';
import { sayQuote } from '../contract-tests/reports/say-quote.ts';
import { selectChecks } from '../contract-tests/run/select-checks.ts';
import { readRequirements } from '../openapi/registers.ts';
import { makeReport } from './commands/make-report.ts';
import { testFlags } from './options/deployment-flags.ts';
import { readFlags } from './options/flags.ts';
import { readTestOptions } from './options/test-options.ts';
import { printCleanupHint } from './output/finish-report.ts';

/** The flags of `sitepub test`. Missing values come from environment variables. */
export interface ContractTestOptions {
  /** Base URL of the deployment; it ends in /api/v1. */
  baseUrl?: string;
  /** Path of a profile, or name of a packaged profile. */
  profile?: string;
  suite?: Tier;
  /** Ids of requirements or checks, or groups such as HOOK. */
  only?: readonly string[];
  skip?: readonly string[];
  /** A duration such as "90s" or "36m", like the next two. */
  maxWait?: string;
  arrivalTimeout?: string;
  requestTimeout?: string;
  cases?: number;
  seed?: number;
  controlUrl?: string;
  /** Paths of PEM files. */
  ca?: string;
  cert?: string;
  key?: string;
  /** Names of headers; the values come from SITEPUB_HEADER_… variables. */
  header?: readonly string[];
  receiverListen?: string;
  receiverUrl?: string;
  journal?: string;
  leaveBehind?: boolean;
  credentials?: ContractTestCredentials;
}

/** Values for SITEPUB_USERNAME and the other variables. */
export interface ContractTestCredentials {
  username?: string;
  password?: string;
  siteId?: number | bigint | string;
  apiKey?: string;
  secondUsername?: string;
  secondPassword?: string;
  otherUsername?: string;
  otherPassword?: string;
  otherSiteId?: number | bigint | string;
  controlToken?: string;
}

/** Defines one test for each check. A broken promise fails its test. A check that cannot be verified is skipped with the reason. */
export async function contractTests({ credentials = {}, ...flags }: ContractTestOptions = {}): Promise<void> {
  const environment = { ...process.env, ...variablesOf(credentials) };
  const options = await readTestOptions(readFlags(argumentsOf(flags), testFlags, environment));
  const selected = selectChecks(options);
  describe('sitepub', { concurrent: false, shuffle: false, retry: 0, timeout: 0 }, () => {
    const results = new Map(selected.map(({ id }) => [id, Promise.withResolvers<CheckResult>()]));
    let run: Promise<Report> | undefined;

    // biome-ignore lint/correctness/noEmptyPattern: Vitest takes no other first parameter
    beforeAll(async ({}, { tasks }) => {
      const names = tasks.filter(({ mode }) => mode === 'run').map(({ name }) => name);
      const only = selected.filter((check) => names.includes(nameOf(check))).map(({ id }) => id);
      const begun = Promise.withResolvers<void>();
      run = makeReport(only.length < selected.length ? { ...options, only } : options, {
        onBegun: (staying) => {
          if (staying !== undefined) console.error(staying);
          begun.resolve();
        },
        onResult: ({ result }) => results.get(result.id)?.resolve(result),
      }).then(({ report }) => report);
      // Fails here if the run would leave too much behind.
      await Promise.race([begun.promise, run]);
    }, 0);

    // Results come in this order, except those that are decided at the end of the run.
    for (const check of selected) {
      test(nameOf(check), async ({ skip }) => {
        const ended = run?.then(() => undefined);
        const result = await Promise.race([results.get(check.id)?.promise, ended]);
        if (!result) return skip('the run ended before this check');
        if (result.outcome === 'passed') return;
        if (result.outcome === 'failed' || result.outcome === 'error')
          throw failureOf(result, check.requirement);
        skip(visible(`${result.outcome}: ${result.reason}`));
      });
    }

    afterAll(async () => {
      const report = await run?.catch(() => undefined);
      if (!report) return;
      if (options.journal !== undefined) printCleanupHint(report, options.journal);
      if (report.aborted) throw errorOf(report.aborted.reason);
    }, 0);
  });
}

/** Contains both ids, so that `vitest -t` finds a check by either. */
function nameOf({ id, requirement }: { id: string; requirement: string }): string {
  return `${requirement} ${id}`;
}

function failureOf(result: CheckResult, id: string): Error {
  const { level, section, title, quote, reading } =
    readRequirements().find((requirement) => requirement.id === id) ?? {};
  const rows = [
    ...presentRows({ promise: quote === undefined ? null : sayQuote(quote), rule: reading ?? null }),
    ...evidenceOf(result),
    ...presentRows({ curl: result.curl }),
  ];
  const lines = [
    `${result.reason}`,
    `${id} (${level} in section ${section}): ${title}`,
    ...rows.map(([what, text]) => `${what}: ${text}`),
  ];
  return errorOf(lines.join('\n'), result.outcome === 'failed' ? 'PromiseBroken' : 'SuiteError');
}

/** Without a stack, which would only show code of the suite. */
function errorOf(text: string, name = 'Error'): Error {
  return Object.assign(new Error(visibleLines(text)), { name, stack: '' });
}

/** `{ maxWait: '90s', only: ['KEY', 'LOG'] }` as `--max-wait=90s --only=KEY --only=LOG`. */
function argumentsOf(flags: Omit<ContractTestOptions, 'credentials'>): string[] {
  return Object.entries(flags).flatMap(([name, given]) => {
    const flag = `--${wordsOf(name).join('-')}`;
    if (given === undefined || given === false) return [];
    if (given === true) return [flag];
    return [given].flat().map((value) => `${flag}=${value}`);
  });
}

function variablesOf(credentials: ContractTestCredentials): Record<string, string> {
  const given = Object.entries(credentials).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [`SITEPUB_${wordsOf(name).join('_').toUpperCase()}`, String(value)]),
  );
}

/** "siteId" as "site" and "id". */
function wordsOf(name: string): string[] {
  return name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
}
