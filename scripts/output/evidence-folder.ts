// The folder of --evidence: all that one hands on with a finding, for readers with and without the tool.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { UsageError } from '../options/usage-error.ts';
import { writeWhole } from './output-file.ts';
import { writeReports } from './report-targets.ts';

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
    if (readdirSync(folder).length === 0) return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--evidence: ${folder} can't be made a folder (${code}); give another path`);
  }
  throw new UsageError(`--evidence: ${folder} is not empty; give the path of a new folder`);
}

/** Writes the report in every form, the exchanges, the profile, and how the run was made. */
export function writeEvidence(folder: string, report: Report, { har, profile, command }: Findings): void {
  const paths = { json: 'report.json', html: 'report.html', markdown: 'report.md', junit: 'report.xml' };
  writeReports(
    report,
    Object.entries(paths).map(([format, name]) => ({ format, path: join(folder, name) })),
  );
  if (har) writeWhole(join(folder, 'exchanges.har'), `${JSON.stringify(har)}\n`);
  writeWhole(join(folder, 'profile.yaml'), `# profile ${profile.name}\n${stringify(profile.stated)}`);
  const { tool, started_at, notes = [] } = report;
  const run = { command: ['sitepub', ...command], tool, node: process.version, started_at, notes };
  writeWhole(join(folder, 'run.json'), `${JSON.stringify(run, null, 2)}\n`);
}
