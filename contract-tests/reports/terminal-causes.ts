// The parts of the terminal's report that say things once: what was missing, what failed, and what was demanded in vain.

import { visible } from '../core/visible-text.ts';
import { causesOf, sayIds, sayShortfall, shortfallGroups, shortfallsTitle } from './group-by-cause.ts';
import { count, signs, verdictOf } from './group-by-verdict.ts';
import { leftOut, type Report } from './report.ts';

type Paint = (format: 'gray' | 'red' | 'magenta', text: string) => string;

/** What was not verified, by what was missing. What was left out on purpose is a number. */
export function causeLines(report: Report, paint: Paint): string[] {
  const causes = causesOf(report);
  if (causes.length === 0) return [];
  const lines = causes.flatMap(({ reason, whole, partly }) => {
    const head = paint('gray', `${signs['not-verified'].sign} ${visible(reason)}`);
    if (reason === leftOut) return [`${head}: ${count(whole.length + partly.length, 'requirement')}`];
    return [head, `    ${visible(sayIds({ whole, partly }))}`];
  });
  return ['', 'Not verified, by what was missing:', ...lines];
}

/** What failed, once more: below the counts it is on the screen when the run ends. */
export function failureLines({ requirements }: Report, paint: Paint): string[] {
  return requirements.flatMap((requirement) => {
    const verdict = verdictOf(requirement);
    if (verdict !== 'failed' && verdict !== 'error') return [];
    const sign = paint(verdict === 'failed' ? 'red' : 'magenta', signs[verdict].sign);
    return [`${sign} ${visible(requirement.id).padEnd(10)} ${visible(requirement.title)}`];
  });
}

/** What --require, --min-verified and --baseline demand and the run does not show. */
export function shortfallLines(report: Report, paint: Paint): string[] {
  const groups = shortfallGroups(report);
  if (groups.length === 0) return [];
  return [
    '',
    `${shortfallsTitle}:`,
    ...groups.map((group) => `${paint('red', '✗')} ${visible(sayShortfall(group))}`),
  ];
}
