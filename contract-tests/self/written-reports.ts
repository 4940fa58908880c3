import { annotations } from '../reports/annotations.ts';
import { htmlReport } from '../reports/html.ts';
import { junitReport } from '../reports/junit.ts';
import { markdownReport } from '../reports/markdown.ts';
import type { Report } from '../reports/report.ts';
import { terminalReport } from '../reports/terminal.ts';
import { type MockRun, runAgainstMock } from './run-against-mock.ts';

export function writtenForms(report: Report): string[] {
  return [
    JSON.stringify(report),
    junitReport(report),
    htmlReport(report),
    markdownReport(report),
    terminalReport(report, { colour: false }),
    annotations(report),
  ];
}

/** The report of a run in each format, with its exchanges. */
export async function textsOfRun(run: MockRun): Promise<string[]> {
  let exchanges = '';
  const report = await runAgainstMock({
    ...run,
    options: { ...run.options, recordsExchanges: true },
    beforeEnd: async (_report, _options, { har }) => {
      exchanges = JSON.stringify(har);
    },
  });
  return [...writtenForms(report), exchanges];
}
