// The reports of --report, read before the run, so that a wrong path is reported at once.
import { resolve } from 'node:path';
import { visibleJson } from '../../contract-tests/core/visible-text.ts';
import { htmlReport } from '../../contract-tests/reports/html.ts';
import { junitReport } from '../../contract-tests/reports/junit.ts';
import { markdownReport } from '../../contract-tests/reports/markdown.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import { UsageError } from '../options/usage-error.ts';
import { requireWritable } from './output-file.ts';
import { saveOutput } from './save-output.ts';

export interface ReportTarget {
  format: string;
  path: string;
}

/** The forms of a report that go into files, by name. */
export const reportFormats: Readonly<Record<string, (report: Report) => string>> = {
  json: (report) => `${visibleJson(report, 2)}\n`,
  junit: junitReport,
  html: htmlReport,
  markdown: markdownReport,
};

/** Reads FORMAT=PATH. Throws UsageError for an unknown format, a folder that can't be written, or two reports in one file. */
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
  if (!Object.hasOwn(reportFormats, format)) {
    const known = Object.keys(reportFormats);
    const hint = didYouMean(format, known, `; there is ${known.join(', ')}`);
    throw new UsageError(`--report knows no format "${format}"${hint}`);
  }
  requireWritable('--report', path);
  return { format, path };
}

/** Writes the reports, each completely or not at all. Returns whether all were written. */
export function writeReports(report: Report, targets: readonly ReportTarget[]): boolean {
  const written = targets.map(({ format, path }) => saveOutput(path, reportFormats[format]?.(report) ?? ''));
  return !written.includes(false);
}
