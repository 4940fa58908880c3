import { codeOfComparison, compareReports } from '../../contract-tests/reports/compare-reports.ts';
import { diffFormats } from '../../contract-tests/reports/diff-formats.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import { readReportOf } from '../options/demand-options.ts';
import { type Flags, readFlagsOrHelp, textFlag } from '../options/flags.ts';
import { takeFiles } from '../options/take-files.ts';
import { UsageError } from '../options/usage-error.ts';

const flags: Flags = {
  format: textFlag('FORMAT', 'text (default), markdown or json'),
};

const usage = 'sitepub diff OLD.json NEW.json';

const notes = `Compares two JSON reports of \`sitepub test\`: what regressed, what is no longer verified, what is newly verified; which gaps are filled otherwise,
which notices are new or gone, and which operations answer slower or faster (the median, of at least 5 accepted calls each, or the 95th percentile, of at least 20: twofold and by 100 ms).
Exit codes, those of \`sitepub test --baseline OLD.json\`: 0 as good as before or better, 1 something passed before and fails now,
3 something was verified before and is not now, 2 usage, or a file that is no such report.`;

/** `sitepub diff OLD.json NEW.json`. */
export async function diff(args: readonly string[]): Promise<number> {
  const { files, others } = takeFiles(args, flags);
  const given = readFlagsOrHelp(others, flags, { usage, notes });
  if (!given) return 0;
  const format = readFormat(given.text('format') ?? 'text');
  const [before, after, ...more] = files;
  if (before === undefined || after === undefined || more.length > 0)
    throw new UsageError(`expected two files, the older report first: ${usage}`);
  const comparison = compareReports(readReportOf('diff', before), readReportOf('diff', after));
  const colour = process.stdout.isTTY && !process.env.NO_COLOR;
  process.stdout.write(diffFormats[format](comparison, { colour }));
  return codeOfComparison(comparison);
}

function readFormat(name: string): keyof typeof diffFormats {
  const known = Object.keys(diffFormats) as (keyof typeof diffFormats)[];
  const format = known.find((one) => one === name);
  if (format) return format;
  const hint = didYouMean(name, known, `; there is ${known.join(', ')}`);
  throw new UsageError(`--format knows no format "${name}"${hint}`);
}
