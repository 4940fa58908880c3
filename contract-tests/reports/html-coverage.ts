// The sections of the HTML report below the requirements: warnings, remarks, gaps, operations, leftovers.
import type { GapReport } from '../deployment/gap-observations.ts';
import {
  gapOutcomeNames,
  presentRows,
  sayGapCounts,
  sayLeftover,
  sayObserved,
  sayValue,
  warningsTitle,
} from './group-by-verdict.ts';
import { copyBlock, html, join, type Markup } from './markup.ts';
import type { CoverageReport, Report, Warning } from './report.ts';

export function warningsSection({ warnings = [] }: Report): Markup {
  if (warnings.length === 0) return html``;
  return html`<section id="warnings" data-shows="drift">
<h2>${warningsTitle} <span class="number">${warnings.length}</span></h2>
<p class="note">The interface document does not require these. They are warnings, not failures.</p>
${join(warnings.map(warningPart))}
</section>`;
}

function warningPart({ id, expected, actual, curl }: Warning): Markup {
  const rows = presentRows({ expected, actual });
  return html`<div class="check warned">
<h3><span class="mark">~</span> <code>${id}</code></h3>
<dl class="evidence">${join(rows.map(([name, text]) => html`<div><dt>${name}</dt><dd class="any">${text}</dd></div>`))}</dl>
${curl === null ? html`` : copyBlock('curl', curl)}
</div>`;
}

export function remarksSection({ remarks }: Report): Markup {
  if (remarks.length === 0) return html``;
  const rows = remarks.map(
    ({ id, what, count: times, example }) =>
      html`<tr><th scope="row"><code>${id}</code></th><td data-label="what">${what}</td><td data-label="times">${times}</td><td class="any" data-label="example">${example}</td></tr>`,
  );
  return html`<section id="remarks" data-shows="remarks">
<h2>Remarks <span class="number">${remarks.length}</span></h2>
<p class="note">The interface document does not forbid these, but integrators should know them. They are not failures.</p>
<table class="stacked"><thead><tr><th scope="col">remark</th><th scope="col">what</th><th scope="col">times</th><th scope="col">example</th></tr></thead>
<tbody>${join(rows)}</tbody></table>
</section>`;
}

/** The gaps, drifting ones first. */
export function gapsSection(report: Report): Markup {
  const { gaps } = report;
  if (gaps.length === 0) return html``;
  const groups = (['drift', 'agrees', 'not-observed'] as const)
    .map((outcome) => ({ outcome, some: gaps.filter((gap) => gap.outcome === outcome) }))
    .filter(({ some }) => some.length > 0);
  return html`<section id="gaps" data-shows="drift">
<h2>Gaps <span class="number">${gaps.length}</span></h2>
<p class="note">The interface document leaves these points open, so no deployment fails because of them: ${sayGapCounts(report)}.</p>
${join(groups.map(gapGroup))}
</section>`;
}

const signs: Readonly<Record<GapReport['outcome'], string>> = {
  drift: '~',
  agrees: '✓',
  'not-observed': '–',
};

function gapGroup({ outcome, some }: { outcome: GapReport['outcome']; some: GapReport[] }): Markup {
  return html`<details class="gaps ${outcome}"${outcome === 'drift' ? html` open` : html``}>
<summary><span aria-hidden="true">${signs[outcome]}</span> ${some.length} ${gapOutcomeNames[outcome]}</summary>
<table class="stacked"><thead><tr><th scope="col">gap</th><th scope="col">value</th><th scope="col">observed</th></tr></thead>
<tbody>${join(some.map(gapRow))}</tbody></table>
</details>`;
}

function gapRow(gap: GapReport): Markup {
  const value =
    gap.source === 'default' ? html`${sayValue(gap)} <small>(default)</small>` : html`${sayValue(gap)}`;
  return html`<tr><th scope="row"><code>${gap.id}</code></th><td data-label="value">${value}</td><td data-label="observed">${sayObserved(gap) || '–'}</td></tr>`;
}

export function operationsSection({ coverage }: Report): Markup {
  if (coverage.length === 0) return html``;
  const statuses = [...new Set(coverage.flatMap((one) => one.statuses))].sort((one, other) => one - other);
  const called = coverage.filter(({ requests }) => requests > 0).length;
  return html`<section id="operations" class="beside">
<h2>Operations <span class="number">${coverage.length}</span></h2>
<p class="note">The run called ${called} of ${coverage.length} operations. A dot marks each HTTP status that an operation returned.</p>
<div class="scroll" tabindex="0" role="region" aria-label="HTTP statuses by operation">
<table class="matrix"><thead><tr><th scope="col">operation</th><th scope="col">requests</th>${join(statuses.map((status) => html`<th scope="col">${status}</th>`))}</tr></thead>
<tbody>${join(coverage.map((one) => operationRow(one, statuses)))}</tbody></table>
</div>
</section>`;
}

function operationRow({ operation, requests, statuses }: CoverageReport, all: readonly number[]): Markup {
  const cells = all.map((status) =>
    statuses.includes(status)
      ? html`<td><span aria-hidden="true">●</span><span class="visually-hidden">yes</span></td>`
      : html`<td></td>`,
  );
  const number = requests === 0 ? html`<td class="never">never called</td>` : html`<td>${requests}</td>`;
  return html`<tr${requests === 0 ? html` class="never"` : html``}><th scope="row"><code>${operation}</code></th>${number}${join(cells)}</tr>`;
}

export function leftoversSection({ leftovers }: Report): Markup {
  if (leftovers.length === 0) return html``;
  return html`<section id="leftovers" class="beside">
<h2>Leftovers <span class="number">${leftovers.length}</span></h2>
<p class="note">The run created these resources and could not delete them.</p>
<ul class="leftovers">${join(leftovers.map((one) => html`<li class="any">${sayLeftover(one)}</li>`))}</ul>
</section>`;
}
