// The requirements in the HTML report, the worst first.
import { groupByReason, sayShortfall, shortfallGroups, shortfallsTitle } from './group-by-cause.ts';
import {
  acceptingLines,
  count,
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
import { checkPart, foldedCheck } from './html-check.ts';
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
${line === undefined ? html`` : html`<div id="token">${copyBlock('before the curl lines, beside the credentials of this run', line)}</div>`}
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
  const { id, title, checks, expected_failure } = requirement;
  const verdict = verdictOf(requirement);
  const { sign, word } = signs[verdict];
  const why = expected_failure ? sayExpected(expected_failure) : null;
  const also = checks.some(({ outcome }) => outcome === 'not-applicable')
    ? html` data-also="not-applicable"`
    : html``;
  return html`<details class="requirement ${verdict}" id="${id}"${also}${verdict === 'failed' || verdict === 'error' ? html` open` : html``}>
<summary><span class="badge"><span aria-hidden="true">${sign}</span> ${word}</span> <code class="id">${id}</code> <span class="title">${title}</span>${why === null ? html`` : html` <span class="why any">${why}</span>`}</summary>
<div class="body">${promise(requirement)}
${checkParts(checks)}
${accepting(requirement, report)}
</div>
</details>`;
}

/** The sentence of the document; how it is read is folded up behind it. */
function promise(requirement: RequirementReport): Markup {
  const { level, section: place } = requirement;
  const { sentence, reading } = Object.fromEntries(promiseOf(requirement));
  const where = html`<p class="place">${level} in section ${place} of the interface document</p>`;
  if (sentence === undefined) return where;
  return html`<blockquote class="any">${sentence}</blockquote>
${where}
${reading === undefined ? html`` : html`<details class="more"><summary>How the sentence is read</summary><p class="place any">${reading}</p></details>`}`;
}

/** The first failure in full, the others folded up; what passed comes last, in one line each. */
function checkParts(checks: readonly CheckResult[]): Markup {
  if (checks.length === 0) return html`<p class="place">no check was made</p>`;
  const isTroubled = ({ outcome }: CheckResult) => outcome === 'failed' || outcome === 'error';
  const [troubled, others] = [
    sorted(checks).filter(isTroubled),
    sorted(checks).filter((one) => !isTroubled(one)),
  ];
  const [first, ...further] = troubled;
  if (!first) return join(others.map(checkPart));
  return join([
    checkPart(first),
    ...further.map(foldedCheck),
    others.length === 0
      ? html``
      : html`<details class="more"><summary>${count(others.length, 'more check')}, not failed</summary>${join(others.map(checkPart))}</details>`,
  ]);
}

function accepting(requirement: RequirementReport, report: Report): Markup {
  if (verdictOf(requirement) !== 'failed') return html``;
  return html`<details class="more"><summary>Accept it for a while</summary>
${copyBlock('accept (--expected-failures)', acceptingLines(requirement, report).join('\n'))}</details>`;
}

function sorted(checks: readonly CheckResult[]): CheckResult[] {
  const gravity = (check: CheckResult) => verdictsByGravity.indexOf(verdictOf(check));
  return checks.toSorted((one, other) => gravity(one) - gravity(other));
}
