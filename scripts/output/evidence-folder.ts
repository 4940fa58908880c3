// The folder of --evidence: all that one hands on with a finding, for readers with and without the tool.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { visible, visibleJson } from '../../contract-tests/core/visible-text.ts';
import { visibleYaml } from '../../contract-tests/core/visible-yaml.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { UsageError } from '../options/usage-error.ts';
import { requireWritable } from './output-file.ts';
import { writeReports } from './report-targets.ts';
import { saveOutput } from './save-output.ts';

/** What goes into the folder beside the report. */
interface Findings {
  har: object | undefined;
  profile: SuiteOptions['profile'];
  /** The command line after `sitepub`; secrets are never in it. */
  command: readonly string[];
}

/** Throws UsageError where the folder can't be made, or holds something that would be mixed with the evidence. */
export function requireEvidenceFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length === 0) {
      requireWritable('--evidence', join(folder, 'run.json'));
      return;
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `--evidence: ${visible(folder)} can't be made a folder (${code}); give another path`,
    );
  }
  throw new UsageError(`--evidence: ${visible(folder)} is not empty; give the path of a new folder`);
}

/** Writes the report in every form, the exchanges, the profile, and how the run was made. Returns whether all was written. */
export function writeEvidence(folder: string, report: Report, { har, profile, command }: Findings): boolean {
  const paths = {
    json: 'report.json',
    html: 'report.html',
    markdown: 'report.md',
    junit: 'report.xml',
  };
  const { tool, started_at, notes = [] } = report;
  const run = { command: ['sitepub', ...command], tool, node: process.version, started_at, notes };
  const others: [string, string][] = [
    ...(har ? [['exchanges.har', `${visibleJson(har)}\n`] as [string, string]] : []),
    ['profile.yaml', `# profile ${visible(profile.name)}\n${visibleYaml(profile.stated)}`],
    ['run.json', `${visibleJson(run, 2)}\n`],
  ];
  const areWritten = writeReports(
    report,
    Object.entries(paths).map(([format, name]) => ({ format, path: join(folder, name) })),
  );
  const written = others.map(([name, text]) => saveOutput(join(folder, name), text));
  return areWritten && !written.includes(false);
}
