// The counts of the HTML report: links without the script, filter buttons with it.
import { count, countOf, signs, type Verdict, verdictOf, verdictsByGravity } from './group-by-verdict.ts';
import { html, join, type Markup } from './markup.ts';
import type { Report, RequirementReport } from './report.ts';

interface Count {
  /** The `data-verdict`, `data-also` or `data-shows` value that the script filters by. */
  filter: string;
  number: number;
  sign: string;
  word: string;
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

const headings: Readonly<Record<string, string>> = {
  1: 'What the service does',
  2: 'Resources and their fields',
  3: 'States and transitions',
  4: 'Endpoints',
  5: 'Authentication',
  6: 'Events',
  7: 'Errors',
  8: 'Limits',
  9: 'Versioning',
};

export function sectionBars({ requirements }: Report): Markup {
  const rows = Object.keys(headings)
    .map((number) => ({ number, some: requirements.filter((one) => sectionsOf(one).includes(number)) }))
    .filter(({ some }) => some.length > 0);
  if (rows.length === 0) return html``;
  return html`<section class="by-section beside" id="sections">
<h2>By section of the interface document</h2>
<p class="note">A promise made in several sections counts in each of them.</p>
<ul>${join(rows.map(({ number, some }) => row(`${number} ${headings[number]}`, some)))}</ul>
</section>`;
}

/** The numbers of the main sections, such as 6 for "4, 6.5" and 4. */
function sectionsOf({ section }: RequirementReport): string[] {
  return section.split(',').map((one) => one.trim().split('.')[0] ?? '');
}

function row(title: string, some: readonly RequirementReport[]): Markup {
  const numbers = verdictsByGravity
    .toReversed()
    .map((verdict) => ({ verdict, number: some.filter((one) => verdictOf(one) === verdict).length }))
    .filter(({ number }) => number > 0);
  const said = numbers.map(({ verdict, number }) => `${number} ${signs[verdict].word}`).join(', ');
  return html`<li><span class="heading">${title}</span>${bar(numbers, some.length)}<span class="said">${count(some.length, 'promise')}: ${said}</span></li>`;
}

/** Hidden from screen readers, because the text beside it says the same. */
function bar(numbers: readonly { verdict: Verdict; number: number }[], total: number): Markup {
  const parts = numbers.map(({ verdict, number }, index) => {
    const before = numbers.slice(0, index).reduce((sum, one) => sum + one.number, 0);
    return html`<rect class="${verdict}" x="${percent(before, total)}" y="0" width="${percent(number, total)}" height="8"/>`;
  });
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">${join(parts)}</svg>`;
}

function percent(part: number, total: number): string {
  return ((100 * part) / total).toFixed(2);
}
