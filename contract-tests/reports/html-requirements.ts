// The requirements in the HTML report, the worst first.
import { groupByReason, sayShortfall, shortfallGroups, shortfallsTitle } from './group-by-cause.ts';
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
import { type CheckResult, leftOut, type Report, type RequirementReport } from './report.ts';

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

/** What fails the run beside failures: shortfalls, and outdated entries of the file of expected failures. */
export function attentionSection(report: Report): Markup {
  return join([
    attention(shortfallsTitle, shortfallGroups(report).map(sayShortfall)),
    attention(
      'Expected failures that are out of date',
      outdatedEntries(report).map(({ text }) => text),
    ),
  ]);
}

function attention(title: string, lines: readonly string[]): Markup {
  if (lines.length === 0) return html``;
  return html`<section class="attention">
<h2>${title}</h2>
<ul>${join(lines.map((line) => html`<li class="any">${line}</li>`))}</ul>
</section>`;
}

function section({ verdict, requirements }: Group, report: Report): Markup {
  const articles = (some: readonly RequirementReport[]) =>
    join(some.map((requirement) => article(requirement, report)));
  const line = verdict === 'failed' ? tokenLineFor(report) : undefined;
  return html`<section class="group" id="${verdict}" data-verdict="${verdict}">
<h2>${titles[verdict]} <span class="number">${requirements.length}</span></h2>
${line === undefined ? html`` : copyBlock('before the curl lines, beside the credentials of this run', line)}
${hasCause(verdict) ? join(groupByReason(requirements).map(({ reason, items }) => cause({ reason, items, articles }))) : articles(requirements)}
</section>`;
}

/** Whether something was missing. */
function hasCause(verdict: Verdict): boolean {
  return verdict === 'not-verified' || verdict === 'partly';
}

interface CauseParts {
  reason: string;
  items: readonly RequirementReport[];
  articles(some: readonly RequirementReport[]): Markup;
}

/** What was missing, said once above the requirements that missed it. What was left out on purpose is folded up. */
function cause({ reason, items, articles }: CauseParts): Markup {
  return html`<details class="cause"${reason === leftOut ? html`` : html` open`}>
<summary><span class="why any">${reason}</span> <span class="number">${items.length}</span></summary>
${articles(items)}
</details>`;
}

/** Failures and errors are open. */
function article(requirement: RequirementReport, report: Report): Markup {
  const { id, title, level, section: place, checks, expected_failure } = requirement;
  const verdict = verdictOf(requirement);
  const { sign, word } = signs[verdict];
  const why = expected_failure ? sayExpected(expected_failure) : null;
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
