// The verdict of the contract suite, tier `full`, on the mutated mock. Both run in this process, from the folder with the mutated files.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { loadProfile, makeProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { exitCodeOf } from '../output/exit-code.ts';

interface SuiteOnMock {
  load(): Promise<void>;
  run(): Promise<SuiteVerdict>;
}

export interface SuiteVerdict {
  /** Why the mock fails; undefined when it passes. */
  fault: string | undefined;
  /** Warnings, and requirements that could not be verified. */
  warnings: readonly string[];
}

interface Trial {
  spoken: Profile;
  options: Partial<SuiteOptions>;
}
type RunAgainstMock = (trial: Trial) => Promise<Report>;

/** Few generated cases, since they take as long as all other checks together. */
const options: Partial<SuiteOptions> = { tier: 'full', cases: 2, seed: 1 };

/** Tries two deployments that fill the gaps differently, since each reaches code that the other does not. */
export function createSuiteOnMock(): SuiteOnMock {
  const profiles = [loadProfile('default'), contraryProfile()];
  const crashes: unknown[] = [];
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => crashes.push(error));
  let loaded: Promise<RunAgainstMock> | undefined;
  const load = () => {
    loaded ??= loadSuite();
    return loaded;
  };
  return {
    load: async () => {
      await load();
    },
    run: async () => {
      crashes.length = 0;
      const verdict = await runAllProfiles(load, profiles).catch((error: unknown) => describeCrash(error));
      return crashes.length > 0 ? describeCrash(crashes[0]) : verdict;
    },
  };
}

async function runAllProfiles(
  load: () => Promise<RunAgainstMock>,
  profiles: readonly Profile[],
): Promise<SuiteVerdict> {
  const tryMock = await load();
  const warnings: string[] = [];
  for (const spoken of profiles) {
    const trial = { spoken, options };
    const report = await tryMock(trial);
    if (exitCodeOf(report) !== 0) return { fault: describeFailures(report), warnings };
    warnings.push(...describeWarnings(report).map((warning) => `${spoken.name}: ${warning}`));
  }
  return { fault: undefined, warnings };
}

function describeCrash(error: unknown): SuiteVerdict {
  return { fault: `it crashes: ${error}`, warnings: [] };
}

async function loadSuite(): Promise<RunAgainstMock> {
  const { href } = pathToFileURL(resolve('contract-tests/self/run-against-mock.ts'));
  return ((await import(href)) as { runAgainstMock: RunAgainstMock }).runAgainstMock;
}

function contraryProfile(): Profile {
  const text = readFileSync(new URL('contrary.yaml', import.meta.url), 'utf8');
  const origin = { name: 'contrary', source: 'contrary.yaml' };
  return makeProfile({ ...statedValues(loadProfile('default')), ...(parse(text) as object) }, origin);
}

function describeFailures({ requirements, aborted }: Report): string {
  const failed = requirements.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
  return failed.map(({ id }) => id).join(', ') || `the run ends: ${aborted?.reason ?? 'nothing is verified'}`;
}

function describeWarnings({ requirements, gaps }: Report): string[] {
  const drifting = gaps.filter(({ outcome }) => outcome === 'drift').map(({ id }) => `${id} warned`);
  const open = requirements.filter(({ outcome }) => outcome === 'not-verified');
  return [...drifting, ...open.map(({ id }) => `${id} not verified`)];
}
