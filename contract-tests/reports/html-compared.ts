// The section of the HTML report that has another deployment beside the one under test.
import { comparisonIn, sayComparison } from './compared-with.ts';
import type { ComparedWith } from './comparison.ts';
import { type DiffSection, diffRuns, diffSections } from './diff-sections.ts';
import { sideBySide } from './diff-words.ts';
import { html, join, type Markup } from './html-text.ts';
import type { Report } from './report.ts';

/** What differs, worst first, and the outcomes of all requirements at both. */
export function comparedSection(report: Report): Markup {
  const { compared_with: other } = report;
  if (!other) return html``;
  const comparison = comparisonIn(report);
  const runs = comparison ? diffRuns(comparison, sideBySide) : [];
  const sections = comparison ? diffSections(comparison, sideBySide) : [];
  return html`<section class="beside" id="compared">
<h2>Compared with another deployment</h2>
<p class="note any">${sayComparison(report, other)}</p>
<dl class="facts">${join(runs.map(([name, text]) => html`<div><dt>${name}</dt><dd class="any">${text}</dd></div>`))}</dl>
${join(sections.map(differences))}
${outcomesOf(other)}
</section>`;
}

function differences({ title, lines }: DiffSection): Markup {
  const rows = lines.map(
    ({ sign, id, title: what, detail }) =>
      html`<tr><th scope="row"><span aria-hidden="true">${sign}</span> <code>${id}</code></th><td class="any" data-label="what">${what}</td><td class="any" data-label="difference">${detail}</td></tr>`,
  );
  return html`<h3>${title} <span class="number">${lines.length}</span></h3>
<table class="stacked"><thead><tr><th scope="col">id</th><th scope="col">what</th><th scope="col">difference</th></tr></thead>
<tbody>${join(rows)}</tbody></table>`;
}

function outcomesOf({ outcomes }: ComparedWith): Markup {
  const rows = outcomes.map(
    ({ id, other, this: here }) =>
      html`<tr><th scope="row"><code>${id}</code></th><td data-label="other">${other ?? 'unknown'}</td><td data-label="this">${here}</td></tr>`,
  );
  return html`<details class="gaps">
<summary>The outcomes of all ${outcomes.length} requirements at both</summary>
<table class="stacked"><thead><tr><th scope="col">requirement</th><th scope="col">other</th><th scope="col">this</th></tr></thead>
<tbody>${join(rows)}</tbody></table>
</details>`;
}
