// The counts of the HTML report. Without its script they are links to what they count; with it, buttons that show nothing else.
import { countOf, signs, type Verdict } from './group-by-verdict.ts';
import { html, join, type Markup } from './html-text.ts';
import type { Report } from './report.ts';

interface Count {
  /** What it shows alone; the script finds that by this name. */
  filter: string;
  number: number;
  sign: string;
  word: string;
  /** Where the link leads. */
  target: string;
}

/** All counts, in a row that filters. */
export function countsSection(report: Report): Markup {
  return html`<nav class="counts" aria-label="Results by number">${join(countsOf(report).map(countPart))}</nav>`;
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

/** Shorter than in the list, where a count stands beside others. */
function wordsOf(verdict: Verdict): { sign: string; word: string } {
  const { sign, word } = signs[verdict];
  return { sign, word: verdict === 'partly' ? 'partly' : verdict === 'error' ? 'suite errors' : word };
}

/** A requirement is never that alone: they count in which a check has no object here. */
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
    word: isReceiver ? 'warned' : 'drift',
    target: isReceiver ? 'warnings' : 'gaps',
  };
}

function remarks(report: Report): Count {
  return { filter: 'remarks', number: report.remarks.length, sign: '~', word: 'remarks', target: 'remarks' };
}
