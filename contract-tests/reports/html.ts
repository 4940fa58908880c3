// The report as one HTML file, which loads nothing and can be read without its script.
import {
  count,
  countOf,
  groupByVerdict,
  headlineOf,
  outdatedEntries,
  sayRequests,
  sayTime,
  signs,
} from './group-by-verdict.ts';
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
import { summarySection } from './html-summary.ts';
import { hashOf, html, join, type Markup } from './html-text.ts';
import type { Report } from './report.ts';

/** The report as an HTML document. */
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
${summarySection(report)}
${attentionSection(report)}
${filters(report)}
${requirementSections(report)}
${warningsSection(report)}
${remarksSection(report)}
${gapsSection(report)}
${operationsSection(report)}
${leftoversSection(report)}
</main>
<script>${{ markup: script }}</script>
</body>
</html>
`.markup;
}

function header(report: Report): Markup {
  const { target, started_at, tool, aborted, summary, requirements, notes = [] } = report;
  const facts: [string, Markup][] = [
    ['Target', html`<span class="any">${target.base_url}</span>`],
    ['Profile', html`<span class="any">${target.profile}</span>`],
    ['When', html`<time datetime="${started_at}">${sayTime(started_at)}</time>`],
    ['Sent', html`${sayRequests(report)}`],
    ['By', html`${tool.name} ${tool.version}`],
  ];
  const tiles = groupByVerdict(report).map(({ verdict, requirements: some }) => tile(verdict, some.length));
  const drift =
    summary.warned > 0
      ? html`<li class="drift"><a href="#${report.warnings?.length ? 'warnings' : 'gaps'}"><b>${summary.warned}</b> ~ ${report.target.kind === 'receiver' ? 'warned' : 'drift'}</a></li>`
      : html``;
  const remarks =
    report.remarks.length > 0
      ? html`<li class="drift"><a href="#remarks"><b>${report.remarks.length}</b> ~ remarks</a></li>`
      : html``;
  return html`<header>
<p class="kicker">Contract test, ${count(requirements.length, 'requirement')}</p>
<h1 class="${headlineClass(report)}">${headlineOf(report)}</h1>
${aborted ? html`<p class="aborted">${aborted.reason}</p>` : html``}
${join(notes.map((note) => html`<p class="aborted">${note}</p>`))}
<ul class="tiles">${join(tiles)}${drift}${remarks}</ul>
<dl class="facts">${join(facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}</dl>
</header>`;
}

function tile(verdict: keyof typeof signs, number: number): Markup {
  const { sign, word } = signs[verdict];
  return html`<li class="${verdict}"><a href="#${verdict}"><b>${number}</b> ${sign} ${word}</a></li>`;
}

function headlineClass(report: Report): string {
  const { aborted, summary, shortfalls = [] } = report;
  if (countOf('failed', report) > 0 || outdatedEntries(report).length > 0) return 'bad';
  const isVerified = summary.passed + summary.partly > 0;
  return aborted || summary.error > 0 || !isVerified || shortfalls.length > 0 ? 'unsure' : 'good';
}

/** Hidden until the script, which filters, shows it. */
function filters(report: Report): Markup {
  const boxes = groupByVerdict(report).map(
    ({ verdict }) =>
      html`<label><input type="checkbox" name="verdict" value="${verdict}" checked> ${signs[verdict].sign} ${signs[verdict].word}</label>`,
  );
  return html`<form class="filters" role="search" hidden>
<label class="search">Search <input type="search" name="text" placeholder="id, title, reason" autocomplete="off"></label>
<fieldset><legend>Show</legend>${join(boxes)}</fieldset>
<p class="shown" role="status"></p>
</form>`;
}
