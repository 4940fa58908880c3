import { groupByReason, sayShortfall, shortfallGroups, shortfallsTitle } from './group-by-cause.ts';
import {
  acceptingLines,
  count,
  type Group,
  groupByVerdict,
  outdatedEntries,
  promiseOf,
  sayExpected,
  sayPlace,
  signs,
  tokenLineFor,
  type Verdict,
  verdictOf,
  verdictsByGravity,
} from './group-by-verdict.ts';
import { checkPart, foldedCheck } from './html-check.ts';
import { copyBlock, html, join, type Markup } from './markup.ts';
import { type CheckResult, leftOut, type Report, type RequirementReport } from './report.ts';

const titles: Readonly<Record<Verdict, string>> = {
  failed: 'Failed',
  error: 'Suite errors',
  expected: 'Expected failures',
  'not-verified': 'Not verified',
  'not-applicable': 'Not applicable',
  partly: 'Partly verified',
  passed: 'Passed',
};

export function requirementSections(report: Report): Markup {
  return join(groupByVerdict(report).map((group) => section(group, report)));
}

/** What makes the run fail apart from failed requirements: unmet conditions and outdated expected failures. */
export function attentionSection(report: Report): Markup {
  return join([
    attention(shortfallsTitle, shortfallGroups(report).map(sayShortfall)),
    attention(
      'Outdated expected failures',
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
${line === undefined ? html`` : html`<div id="token">${copyBlock('set the credentials of this run, then run this before the curl lines', line)}</div>`}
${hasReason(verdict) ? join(groupByReason(requirements).map(({ reason, items }) => cause({ reason, items, articles }))) : articles(requirements)}
</section>`;
}

function hasReason(verdict: Verdict): boolean {
  return verdict === 'not-verified' || verdict === 'partly';
}

interface CauseParts {
  reason: string;
  items: readonly RequirementReport[];
  articles(some: readonly RequirementReport[]): Markup;
}

/** A reason with its requirements. Skipped requirements start collapsed. */
function cause({ reason, items, articles }: CauseParts): Markup {
  return html`<details class="cause"${reason === leftOut ? html`` : html` open`}>
<summary><span class="why any">${reason}</span> <span class="number">${items.length}</span></summary>
${articles(items)}
</details>`;
}

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

function promise(requirement: RequirementReport): Markup {
  const { promise: sentence, rule } = Object.fromEntries(promiseOf(requirement));
  const where = html`<p class="place">${sayPlace(requirement)} of the interface document</p>`;
  if (sentence === undefined) return where;
  return html`<blockquote class="any">${sentence}</blockquote>
${where}
${rule === undefined ? html`` : html`<details class="more"><summary>When this promise fails</summary><p class="place any">${rule}</p></details>`}`;
}

/** The first failed check in full, further ones collapsed, the rest last. */
function checkParts(checks: readonly CheckResult[]): Markup {
  if (checks.length === 0) return html`<p class="place">no check ran</p>`;
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
      : html`<details class="more"><summary>${count(others.length, 'more check')} without failure</summary>${join(others.map(checkPart))}</details>`,
  ]);
}

function accepting(requirement: RequirementReport, report: Report): Markup {
  if (verdictOf(requirement) !== 'failed') return html``;
  return html`<details class="more"><summary>Accept this failure for a while</summary>
${copyBlock('accept (--expected-failures)', acceptingLines(requirement, report).join('\n'))}</details>`;
}

function sorted(checks: readonly CheckResult[]): CheckResult[] {
  const gravity = (check: CheckResult) => verdictsByGravity.indexOf(verdictOf(check));
  return checks.toSorted((one, other) => gravity(one) - gravity(other));
}
