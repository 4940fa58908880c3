// The verdicts by section of the interface document, as bars.
import { count, signs, type Verdict, verdictOf, verdictsByGravity } from './group-by-verdict.ts';
import { html, join, type Markup } from './html-text.ts';
import type { Report, RequirementReport } from './report.ts';

/** The headings of the interface document. */
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
