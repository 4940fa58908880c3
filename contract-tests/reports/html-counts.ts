// The counts of the HTML report: links without the script, filter buttons with it.
import { countOf, signs, type Verdict } from './group-by-verdict.ts';
import { html, join, type Markup } from './html-text.ts';
import type { Report } from './report.ts';

interface Count {
  /** The `data-verdict`, `data-also` or `data-shows` value that the script filters by. */
  filter: string;
  number: number;
  sign: string;
  word: string;
  /** The element that the link points to. */
  target: string;
}

export function countsSection(report: Report): Markup {
  return html`<nav class="counts" aria-label="Number of results">${join(countsOf(report).map(countPart))}</nav>`;
}

function countPart({ filter, number, sign, word, target }: Count): Markup {
  const text = html`<b>${number}</b> <span><span aria-hidden="true">${sign}</span> ${word}</span>`;
  return number === 0
    ? html`<span class="count none">${text}</span>`
    : html`<a class="count ${filter}" href="#${target}" data-filter="${filter}">${text}</a>`;
}

function countsOf(report: Report): Count[] {
  const verdicts: Verdict[] = ['failed', 'error', 'expected', 'passed', 'partly', 'not-verified'];
  const rare: Verdict[] = ['error', 'expected'];
  const ofVerdicts = verdicts
    .map((verdict) => ({
      filter: verdict,
      number: countOf(verdict, report),
      ...wordsOf(verdict),
      target: verdict,
    }))
    .filter(({ filter, number }) => number > 0 || !rare.includes(filter));
  return [...ofVerdicts, notApplicable(report), warned(report), remarks(report)];
}

/** Shorter words than in the list, because the counts share one row. */
function wordsOf(verdict: Verdict): { sign: string; word: string } {
  const { sign, word } = signs[verdict];
  return { sign, word: verdict === 'partly' ? 'partly' : verdict === 'error' ? 'suite errors' : word };
}

/** "Not applicable" is the verdict of a check, never of a requirement: counts requirements with such a check. */
function notApplicable({ requirements }: Report): Count {
  const some = requirements.filter(({ checks }) =>
    checks.some(({ outcome }) => outcome === 'not-applicable'),
  );
  return {
    filter: 'not-applicable',
    number: some.length,
    ...signs['not-applicable'],
    target: some[0]?.id ?? '',
  };
}

function warned({ summary, target }: Report): Count {
  const isReceiver = target.kind === 'receiver';
  return {
    filter: 'drift',
    number: summary.warned,
    sign: '~',
    word: isReceiver ? 'warnings' : 'drift',
    target: isReceiver ? 'warnings' : 'gaps',
  };
}

function remarks(report: Report): Count {
  return { filter: 'remarks', number: report.remarks.length, sign: '~', word: 'remarks', target: 'remarks' };
}
