// The first section of the HTML report, for those who did not run it.
import { html, join, type Markup } from './html-text.ts';
import { plainSummaryOf } from './plain-summary.ts';
import type { Report, RequirementReport } from './report.ts';

/** What is promised, what is broken, what that means, and what could not be looked at. */
export function summarySection(report: Report): Markup {
  const { advice, broken, unseen } = plainSummaryOf(report);
  const items = broken.map(
    ({ about, means, requirements }) => html`<li><b>${about}.</b> ${means}
<ul>${join(requirements.map((one) => html`<li>${linkTo(one)} ${one.title}</li>`))}</ul></li>`,
  );
  return html`<section class="summary" id="summary">
<h2>In short</h2>
<p class="any">${advice}</p>
${items.length === 0 ? html`` : html`<h3>What is broken, and what it means</h3><ul class="broken">${join(items)}</ul>`}
${unseen.length === 0 ? html`` : html`<h3>What could not be looked at</h3><p>Whether these are kept is not known: ${unseen.map(({ about, requirements }) => `${about} (${requirements.length})`).join(', ')}. <a href="#not-verified">Why</a></p>`}
</section>`;
}

function linkTo({ id }: RequirementReport): Markup {
  return html`<a href="#${id}"><code>${id}</code></a>`;
}
