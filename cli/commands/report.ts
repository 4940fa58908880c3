import { codeOfComparison, compareReports } from '../../contract-tests/reports/compare-reports.ts';
import { diffFormats } from '../../contract-tests/reports/diff-formats.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { terminalReport } from '../../contract-tests/reports/terminal.ts';
import { readReportOf } from '../options/demand-options.ts';
import type { Given } from '../options/flags.ts';
import { readOut, writeOutput } from '../output/output-file.ts';
import { findFormat, reportFormats } from '../output/report-targets.ts';

const forms = {
  text: (report: Report) => terminalReport(report, { colour: false }),
  ...reportFormats,
};

export async function report(given: Given): Promise<number> {
  const [file = ''] = given.words;
  const render = findFormat(given.text('format') ?? 'text', '--format', forms);
  const out = readOut(given, [file]);
  writeOutput(out, render(readReportOf('report', file)));
  return 0;
}

export async function diff(given: Given): Promise<number> {
  const [before = '', after = ''] = given.words;
  const format = findFormat(given.text('format') ?? 'text', '--format', diffFormats);
  const comparison = compareReports(readReportOf('report diff', before), readReportOf('report diff', after));
  const colour = process.stdout.isTTY && !process.env.NO_COLOR;
  process.stdout.write(format(comparison, { colour }));
  return codeOfComparison(comparison);
}
