// The requirements in the HTML report, the worst first.
import {
  acceptingLines,
  evidenceOf,
  type Group,
  groupByVerdict,
  outdatedEntries,
  promiseOf,
  sayExpected,
  signs,
  tokenLineFor,
  type Verdict,
  verdictOf,
  verdictsByGravity,
} from './group-by-verdict.ts';
import { copyBlock, html, join, type Markup } from './html-text.ts';
import type { CheckResult, Report, RequirementReport } from './report.ts';

const titles: Readonly<Record<Verdict, string>> = {
  failed: 'Failed',
  error: 'Errors of the suite itself',
  expected: 'Failed as expected',
  'not-verified': 'Not verified',
  'not-applicable': 'Not applicable',
  partly: 'Partly verified',
  passed: 'Passed',
};

/** A section for each verdict. */
export function requirementSections(report: Report): Markup {
  return join(groupByVerdict(report).map((group) => section(group, report)));
}

/** The entries of the file of expected failures that fail the run. */
export function attentionSection(report: Report): Markup {
  const ended = outdatedEntries(report);
  if (ended.length === 0) return html``;
  return html`<section class="attention">
<h2>Expected failures that are out of date</h2>
<ul>${join(ended.map(({ text }) => html`<li class="any">${text}</li>`))}</ul>
</section>`;
}

function section({ verdict, requirements }: Group, report: Report): Markup {
  const line = verdict === 'failed' ? tokenLineFor(report) : undefined;
  return html`<section class="group" id="${verdict}" data-verdict="${verdict}">
<h2>${titles[verdict]} <span class="number">${requirements.length}</span></h2>
${line === undefined ? html`` : copyBlock('before the curl lines, beside the credentials of this run', line)}
${join(requirements.map((requirement) => article(requirement, report)))}
</section>`;
}

/** Failures and errors are open. */
function article(requirement: RequirementReport, report: Report): Markup {
  const { id, title, level, section: place, reason, checks, expected_failure } = requirement;
  const verdict = verdictOf(requirement);
  const { sign, word } = signs[verdict];
  const why = expected_failure
    ? sayExpected(expected_failure)
    : ['not-verified', 'partly'].includes(verdict)
      ? reason
      : null;
  const accepting = verdict === 'failed' ? acceptingLines(requirement, report).join('\n') : null;
  return html`<details class="requirement ${verdict}" id="${id}"${verdict === 'failed' || verdict === 'error' ? html` open` : html``}>
<summary><span class="badge"><span aria-hidden="true">${sign}</span> ${word}</span> <code class="id">${id}</code> <span class="title">${title}</span>${why === null ? html`` : html` <span class="why any">${why}</span>`}</summary>
<div class="body">
<p class="place">${level} in section ${place} of the interface document</p>
${join(promiseOf(requirement).map(([name, text]) => html`<p class="place any">${name}: ${text}</p>`))}
${checks.length === 0 ? html`<p class="place">no check was made</p>` : join(sorted(checks).map(checkPart))}
${accepting === null ? html`` : copyBlock('accept (--expected-failures)', accepting)}
</div>
</details>`;
}

function sorted(checks: readonly CheckResult[]): CheckResult[] {
  const gravity = (check: CheckResult) => verdictsByGravity.indexOf(verdictOf(check));
  return checks.toSorted((one, other) => gravity(one) - gravity(other));
}

function checkPart(check: CheckResult): Markup {
  const { id, outcome, reason, curl, expected_failure } = check;
  const { sign, word } = signs[verdictOf(check)];
  const isTroubled = outcome === 'failed' || outcome === 'error';
  const why = expected_failure ? sayExpected(expected_failure) : outcome === 'not-verified' ? reason : null;
  return html`<div class="check ${verdictOf(check)}">
<h3><span class="mark">${sign}</span> <code>${id}</code> <span class="word">${word}</span></h3>
${why === null ? html`` : html`<p class="why any">${why}</p>`}
${isTroubled ? html`<dl class="evidence">${join(evidenceOf(check).map(([name, text]) => html`<div><dt>${name}</dt><dd class="any">${text}</dd></div>`))}</dl>` : html``}
${isTroubled && curl !== null ? copyBlock('curl', curl) : html``}
</div>`;
}
