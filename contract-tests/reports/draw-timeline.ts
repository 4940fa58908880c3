// What came when, drawn in one line: the longer the line between two moments, the longer the time.
import type { CheckResult } from './report.ts';

type Timeline = NonNullable<CheckResult['timeline']>;

/** The events of a timeline in one line: "0 s ● 500 ──── 61 s ● 500 ────────── 2161 s ○ nothing". */
export function drawTimeline(timeline: Timeline): string {
  return timeline.map((moment, index) => `${lineTo(timeline, index)}${sayMoment(moment)}`).join('');
}

/** On a logarithmic scale, because delays range from a second to half an hour. */
function lineTo(timeline: Timeline, index: number): string {
  const [before, moment] = [timeline[index - 1], timeline[index]];
  if (!before || !moment) return '';
  const minutes = Math.max(0, moment.after_s - before.after_s) / 60;
  return ` ${'─'.repeat(1 + Math.round(3 * Math.log2(1 + minutes)))} `;
}

function sayMoment({ after_s, what }: Timeline[number]): string {
  return `${after_s} s ${what.startsWith('nothing') ? '○' : '●'} ${what}`;
}
