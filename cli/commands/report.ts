// The commands that read reports of earlier runs.
import { codeOfComparison, compareReports } from '../../contract-tests/reports/compare-reports.ts';
import { diffFormats } from '../../contract-tests/reports/diff-formats.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { terminalReport } from '../../contract-tests/reports/terminal.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import { readReportOf } from '../options/demand-options.ts';
import type { Given } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';
import { readOut, writeOutput } from '../output/output-file.ts';
import { reportFormats } from '../output/report-targets.ts';

const forms = {
  text: (report: Report) => terminalReport(report, { colour: false }),
  ...reportFormats,
};

/** `sitepub report FILE.json`: an old report in another form. */
export async function report(given: Given): Promise<number> {
  const [file = ''] = given.words;
  const render = readFormat(given, forms);
  const out = readOut(given);
  writeOutput(out, render(readReportOf('report', file)));
  return 0;
}

/** `sitepub report diff OLD.json NEW.json`. */
export async function diff(given: Given): Promise<number> {
  const [before = '', after = ''] = given.words;
  const format = readFormat(given, diffFormats);
  const comparison = compareReports(readReportOf('report diff', before), readReportOf('report diff', after));
  const colour = process.stdout.isTTY && !process.env.NO_COLOR;
  process.stdout.write(format(comparison, { colour }));
  return codeOfComparison(comparison);
}

function readFormat<Format>(given: Given, formats: Readonly<Record<string, Format>>): Format {
  const name = given.text('format') ?? 'text';
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format !== undefined) return format;
  const known = Object.keys(formats);
  throw new UsageError(
    `--format knows no format "${name}"${didYouMean(name, known, `; there is ${known.join(', ')}`)}`,
  );
}
