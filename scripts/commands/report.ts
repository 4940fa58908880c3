import { terminalReport } from '../../contract-tests/reports/terminal.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import { readReportOf } from '../options/demand-options.ts';
import { type Flags, readFlagsOrHelp, textFlag } from '../options/flags.ts';
import { takeFiles } from '../options/take-files.ts';
import { UsageError } from '../options/usage-error.ts';
import { readOut, writeOutput } from '../output/output-file.ts';
import { reportFormats } from '../output/report-targets.ts';

const formats = {
  text: (report: Parameters<typeof terminalReport>[0]) => terminalReport(report, { colour: false }),
  ...reportFormats,
};

const flags: Flags = {
  as: textFlag('FORMAT', `${Object.keys(formats).join(', ')} (default: text)`),
  out: textFlag('FILE', 'write to a file (default: the screen)'),
};

const usage = 'sitepub report FILE.json [--as FORMAT] [--out FILE]';

const notes = `Renders a JSON report of \`sitepub test\` anew, in any form; nothing is sent.
Exit codes: 0 written, 2 usage, or a file that is no such report.`;

/** `sitepub report FILE.json`: an old report in another form. */
export async function report(args: readonly string[]): Promise<number> {
  const { files, others } = takeFiles(args, flags);
  const given = readFlagsOrHelp(others, flags, { usage, notes });
  if (!given) return 0;
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) throw new UsageError(`expected one file: ${usage}`);
  const render = readFormat(given.text('as') ?? 'text');
  const out = readOut(given);
  writeOutput(out, render(readReportOf('report', file)));
  return 0;
}

function readFormat(name: string): (typeof formats)['text'] {
  const known = Object.keys(formats);
  const render = Object.entries(formats).find(([one]) => one === name)?.[1];
  if (render) return render;
  throw new UsageError(
    `--as knows no format "${name}"${didYouMean(name, known, `; there is ${known.join(', ')}`)}`,
  );
}
