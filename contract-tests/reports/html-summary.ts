// The first section of the HTML report, for those who did not run it.
import { html, join, type Markup } from './html-text.ts';
import { plainSummaryOf } from './plain-summary.ts';
import type { Report, RequirementReport } from './report.ts';

/** What is promised, what is broken, what that means, and what could not be looked at. */
export function summarySection(report: Report): Markup {
  const { sentences, broken, unseen } = plainSummaryOf(report);
  const items = broken.map(
    ({ about, means, requirements }) => html`<li><b>Broken: ${about}.</b> ${means}
<ul>${join(requirements.map((one) => html`<li>${one.title} (${linkTo(one)})</li>`))}</ul></li>`,
  );
  const notSeen = unseen.map(
    ({ about, requirements }) =>
      html`<li>${about}: ${join(requirements.map((one) => html`${linkTo(one)} `))}</li>`,
  );
  return html`<section class="summary" id="summary">
<h2>In short</h2>
<p>${sentences.join(' ')}</p>
${items.length === 0 ? html`` : html`<ul class="broken">${join(items)}</ul>`}
${notSeen.length === 0 ? html`` : html`<details><summary>Not looked at</summary><ul>${join(notSeen)}</ul></details>`}
</section>`;
}

function linkTo({ id }: RequirementReport): Markup {
  return html`<a href="#${id}"><code>${id}</code></a>`;
}
