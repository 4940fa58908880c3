// The report as one HTML file. It loads nothing from the network and is readable without JavaScript.
import {
  countOf,
  evidenceOf,
  groupByVerdict,
  headlineOf,
  notesOf,
  outdatedEntries,
  sayRequests,
  sayTime,
} from './group-by-verdict.ts';
import { countsSection, sectionBars } from './html-counts.ts';
import {
  gapsSection,
  leftoversSection,
  operationsSection,
  remarksSection,
  warningsSection,
} from './html-coverage.ts';
import { attentionSection, requirementSections } from './html-requirements.ts';
import { script } from './html-script.ts';
import { style } from './html-style.ts';
import { hashOf, html, join, type Markup } from './markup.ts';
import { capitalised, plainSummaryOf } from './plain-summary.ts';
import type { Report, RequirementReport } from './report.ts';

export function htmlReport(report: Report): string {
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${headlineOf(report)} – ${report.target.base_url}</title>
<style>${{ markup: style }}</style>
</head>
<body>
${header(report)}
<main>
${attentionSection(report)}
<div class="top beside">
${summarySection(report)}
${sectionBars(report)}
</div>
${filters}
${requirementSections(report)}
${warningsSection(report)}
${remarksSection(report)}
${gapsSection(report)}
${operationsSection(report)}
${leftoversSection(report)}
${runSection(report)}
</main>
<script>${{ markup: script }}</script>
</body>
</html>
`.markup;
}

function header(report: Report): Markup {
  const { target, aborted } = report;
  const { sentences } = plainSummaryOf(report);
  return html`<header>
<p class="kicker">Contract test of <span class="any">${target.base_url}</span></p>
<h1 class="${headlineClass(report)}">${headlineOf(report)}</h1>
${aborted ? html`<p class="aborted">${aborted.reason}</p>` : html``}
${countsSection(report)}
<p class="lead any">${sentences.join(' ')}</p>
${firstFailure(report)}
${join(notesOf(report).remarkable.map((note) => html`<p class="aborted">${note}</p>`))}
</header>`;
}

/** The first failure is repeated at the top, so that it is visible without scrolling. */
function firstFailure(report: Report): Markup {
  const [group] = groupByVerdict(report);
  const [first] = group?.verdict === 'failed' ? group.requirements : [];
  const check = first?.checks.find(({ outcome }) => outcome === 'failed');
  if (!first || !check) return html``;
  const shown = ['expected', 'actual', 'call'];
  const rows = evidenceOf(check).filter(([name]) => shown.includes(name));
  return html`<section class="first failed" aria-labelledby="first">
<h2 id="first">First failure: <a href="#${first.id}"><code>${first.id}</code> ${first.title}</a></h2>
<dl class="evidence">${join(rows.map(([name, text]) => html`<div class="${name}"><dt>${name}</dt><dd class="any">${shortened(text)}</dd></div>`))}</dl>
</section>`;
}

function shortened(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160).toWellFormed()}…` : text;
}

function runSection(report: Report): Markup {
  const { target, started_at, tool } = report;
  const facts: [string, Markup][] = [
    ['Target', html`${target.base_url}`],
    ['Profile', html`${target.profile}`],
    ['Started', html`<time datetime="${started_at}">${sayTime(started_at)}</time>`],
    ['Traffic', html`${sayRequests(report)}`],
    ['Tool', html`${tool.name} ${tool.version}`],
    ...notesOf(report).drawn.map((note): [string, Markup] => ['Generated cases', html`${note}`]),
  ];
  return html`<section class="beside" id="run">
<h2>This run</h2>
<dl class="facts">${join(facts.map(([name, value]) => html`<div><dt>${name}</dt><dd class="any">${value}</dd></div>`))}</dl>
</section>`;
}

function headlineClass(report: Report): string {
  const { aborted, summary, shortfalls = [] } = report;
  if (countOf('failed', report) > 0 || outdatedEntries(report).length > 0) return 'bad';
  const isVerified = summary.passed + summary.partly > 0;
  return aborted || summary.error > 0 || !isVerified || shortfalls.length > 0 ? 'unsure' : 'good';
}

/** The script shows this form, because filtering needs it. */
const filters = html`<form class="filters" role="search" hidden>
<label class="search"><span class="visually-hidden">Search</span> <input type="search" name="text" placeholder="Search ids, titles, reasons" autocomplete="off"></label>
<button type="button" class="all" hidden>Show all</button>
<button type="button" class="unfold">Expand all</button>
<p class="shown" role="status"></p>
</form>`;

/** A summary for readers who do not know HTTP. */
function summarySection(report: Report): Markup {
  const { advice, broken, unseen } = plainSummaryOf(report);
  const items = broken.map(
    ({ about, means, requirements }) => html`<li><b>${capitalised(about)}.</b> ${means}
<ul>${join(requirements.map((one) => html`<li>${linkTo(one)} ${one.title}</li>`))}</ul></li>`,
  );
  return html`<section class="summary" id="summary">
<h2>Summary</h2>
<p class="any">${advice}</p>
${items.length === 0 ? html`` : html`<h3>What is broken, and why it matters</h3><ul class="broken">${join(items)}</ul>`}
${unseen.length === 0 ? html`` : html`<h3>What could not be verified</h3><p>This run has no verdict on: ${unseen.map(({ about, requirements }) => `${about} (${requirements.length})`).join(', ')}. <a href="#not-verified">Why</a></p>`}
</section>`;
}

function linkTo({ id }: RequirementReport): Markup {
  return html`<a href="#${id}"><code>${id}</code></a>`;
}
