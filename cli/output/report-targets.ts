import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { visible, visibleJson } from '../../contract-tests/core/visible-text.ts';
import { visibleYaml } from '../../contract-tests/core/visible-yaml.ts';
import { htmlReport } from '../../contract-tests/reports/html.ts';
import { junitReport } from '../../contract-tests/reports/junit.ts';
import { markdownReport } from '../../contract-tests/reports/markdown.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import { UsageError } from '../options/usage-error.ts';
import { requireWritable, saveOutput } from './output-file.ts';

export interface ReportTarget {
  format: string;
  path: string;
}

const jsonReport = (report: Report) => `${visibleJson(report, 2)}\n`;

export const reportFormats: Readonly<Record<string, (report: Report) => string>> = {
  json: jsonReport,
  junit: junitReport,
  html: htmlReport,
  markdown: markdownReport,
};

/** Reads FORMAT=PATH. Throws UsageError. */
export function readReportTargets(texts: readonly string[]): ReportTarget[] {
  const targets = texts.map(readTarget);
  const repeated = targets.find(
    ({ path }, index) => targets.findIndex((one) => resolve(one.path) === resolve(path)) < index,
  );
  if (repeated)
    throw new UsageError(`--report: two reports go to ${repeated.path}; give each a different path`);
  return targets;
}

function readTarget(text: string): ReportTarget {
  const [, format = '', path = ''] = /^([a-z]+)=(.+)$/.exec(text) ?? [];
  if (path === '') throw new UsageError(`--report is "${text}"; expected FORMAT=PATH, such as json=out.json`);
  findFormat(format, '--report', reportFormats);
  requireWritable('--report', path);
  return { format, path };
}

/** Throws UsageError. */
export function findFormat<Format>(
  name: string,
  flag: string,
  formats: Readonly<Record<string, Format>>,
): Format {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format !== undefined) return format;
  const known = Object.keys(formats);
  const hint = didYouMean(name, known, `; there are ${known.join(', ')}`);
  throw new UsageError(`${flag}: there is no format "${name}"${hint}`);
}

/** Returns whether all files were written. */
export function writeReports(report: Report, targets: readonly ReportTarget[]): boolean {
  return saveAll(targets.map(({ format, path }) => [path, reportFormats[format]?.(report) ?? '']));
}

function saveAll(files: readonly [path: string, text: string][]): boolean {
  return !files.map(([path, text]) => saveOutput(path, text)).includes(false);
}

/** Throws UsageError if the folder cannot be created or is not empty. */
export function requireEvidenceFolder(folder: string): void {
  if (entriesOf(folder).length > 0)
    throw new UsageError(`--evidence: ${visible(folder)} is not empty; give the path of a new folder`);
  requireWritable('--evidence', join(folder, 'run.json'));
}

function entriesOf(folder: string): string[] {
  try {
    mkdirSync(folder, { recursive: true });
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `--evidence: ${visible(folder)} can't be created as a folder (${code}); choose another path`,
    );
  }
}

interface Findings {
  har: object | undefined;
  profile: SuiteOptions['profile'];
  /** The command line after `sitepub`, which never contains secrets. */
  command: readonly string[];
}

/** Returns whether all files were written. */
export function writeEvidence(folder: string, report: Report, { har, profile, command }: Findings): boolean {
  const { tool, started_at, notes = [] } = report;
  const run = { command: ['sitepub', ...command], tool, node: process.version, started_at, notes };
  const files = {
    'report.json': jsonReport(report),
    'report.html': htmlReport(report),
    'report.md': markdownReport(report),
    'report.xml': junitReport(report),
    ...(har && { 'exchanges.har': `${visibleJson(har)}\n` }),
    'profile.yaml': `# profile ${visible(profile.name)}\n${visibleYaml(profile.stated)}`,
    'run.json': `${visibleJson(run, 2)}\n`,
  };
  return saveAll(Object.entries(files).map(([name, text]) => [join(folder, name), text]));
}
