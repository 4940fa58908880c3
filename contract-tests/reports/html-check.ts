// One check in the HTML report: expected and actual result, and a curl line that reproduces the failure.
import { evidenceOf, sayExpected, signs, verdictOf } from './group-by-verdict.ts';
import { copyBlock, html, join, type Markup } from './markup.ts';
import type { CheckResult } from './report.ts';

/** A check with its evidence. If it did not fail: its name and the reason. */
export function checkPart(check: CheckResult): Markup {
  return html`<div class="check ${verdictOf(check)}">
<h3>${nameOf(check)}</h3>
${evidence(check)}
</div>`;
}

/** The same, collapsed. */
export function foldedCheck(check: CheckResult): Markup {
  return html`<details class="check ${verdictOf(check)}">
<summary>${nameOf(check)}</summary>
${evidence(check)}
</details>`;
}

function nameOf(check: CheckResult): Markup {
  const { sign, word } = signs[verdictOf(check)];
  return html`<span class="mark" aria-hidden="true">${sign}</span> <code>${check.id}</code> <span class="word">${word}</span>`;
}

function evidence(check: CheckResult): Markup {
  const { outcome, reason, curl, expected_failure } = check;
  const isTroubled = outcome === 'failed' || outcome === 'error';
  const why = expected_failure
    ? sayExpected(expected_failure)
    : isTroubled || outcome === 'passed'
      ? null
      : reason;
  const said = why === null ? html`` : html`<p class="why any">${why}</p>`;
  if (!isTroubled) return said;
  const rows = evidenceOf(check).map(([name, text]) => row(name, text, check));
  return html`${said}<dl class="evidence">${join(rows)}</dl>
${curl === null ? html`` : copyBlock('curl', curl)}${needsToken(curl) ? html`<p class="why"><a href="#token">How to get SITEPUB_TOKEN</a></p>` : html``}`;
}

function needsToken(curl: string | null): boolean {
  return curl?.includes('$SITEPUB_TOKEN') ?? false;
}

function row(name: string, text: string, { timeline }: CheckResult): Markup {
  if (name === 'times' && timeline)
    return html`<div class="times"><dt>times</dt><dd>${drawing(timeline)}</dd></div>`;
  const isLong = text.length > 400;
  const box = isLong
    ? html`<dd class="any long" tabindex="0" role="region" aria-label="${name}">${text}</dd>`
    : html`<dd class="any">${text}</dd>`;
  return html`<div class="${name}"><dt>${name}</dt>${box}</div>`;
}

type Timeline = NonNullable<CheckResult['timeline']>;

/** The events from top to bottom. A longer line means a longer time. */
function drawing(timeline: Timeline): Markup {
  const moments = timeline.map(({ after_s, what }, index) => {
    const length = lengthOf(after_s - (timeline[index - 1]?.after_s ?? after_s));
    const [sign, kind] = what.startsWith('nothing') ? ['○', 'missing'] : ['●', 'came'];
    return html`<li class="${kind} after-${length}"><span class="moment">${after_s} s</span> <span class="dot">${sign}</span> <span class="any">${what}${inMinutes(after_s)}</span></li>`;
  });
  return html`<ol class="timeline">${join(moments)}</ol>`;
}

/** From 0 to 6, on a logarithmic scale, because delays range from a second to half an hour. */
function lengthOf(seconds: number): number {
  return Math.min(6, Math.round(Math.log2(1 + Math.max(0, seconds) / 60)));
}

function inMinutes(seconds: number): Markup {
  return seconds < 120 ? html`` : html` <small>(${Math.round(seconds / 60)} min)</small>`;
}
