// A report in each form that people and CI read.
import { annotations } from '../reports/annotations.ts';
import { htmlReport } from '../reports/html.ts';
import { junitReport } from '../reports/junit.ts';
import { markdownReport } from '../reports/markdown.ts';
import type { Report } from '../reports/report.ts';
import { terminalReport } from '../reports/terminal.ts';

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
