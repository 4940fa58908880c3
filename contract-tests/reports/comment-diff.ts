// A comparison of two reports as a comment on a pull request, which may not be longer than so much.
import type { Comparison } from './comparison.ts';
import { type DiffSection, diffHeadline, diffRuns, diffSections, sayDifference } from './diff-sections.ts';
import { code, escapeMarkdown, table } from './markdown-text.ts';

/** GitHub takes no longer comment, in characters. */
const longestComment = 65_536;

/** So much of each text is shown, in characters; the reports have all of it. */
const longestText = 300;

/** The comment in Markdown, `first` line included, by which it is found again. What does not fit is left out, and counted in a sentence. */
export function commentDiff(comparison: Comparison, first: string, most = longestComment): string {
  const difference = sayDifference(comparison);
  const head = [
    first,
    `### sitepub: ${escapeMarkdown(diffHeadline(comparison))}`,
    ...diffRuns(comparison).map(([name, text]) => `${name}: ${code(shortened(text))}`),
    ...(difference === undefined ? [] : [`**${difference}**`]),
  ].join('\n\n');
  const room = most - head.length - noteOn(Number.MAX_SAFE_INTEGER).length;
  const { text, left } = fill(diffSections(comparison), room);
  return `${head}${text}${left > 0 ? noteOn(left) : ''}`;
}

/** Whether there is nothing to tell: the same requirements hold and fail, and no gap, remark or time differs. */
export function isUnchanged({ still_failing: _same, notices, times, ...others }: Comparison): boolean {
  const { regressed, no_longer_verified, newly_failed, newly_passed, gaps } = others;
  const changes = [regressed, no_longer_verified, newly_failed, newly_passed, gaps];
  return [...changes, notices.new, notices.gone, times.slower, times.faster].every(
    ({ length }) => length === 0,
  );
}

function noteOn(left: number): string {
  return `\n\n${left} more lines are left out, since a comment may have ${longestComment} characters: the summary of the job and \`sitepub diff\` show them.`;
}

/** As many lines of the sections as there is room for, the worst first. */
function fill(sections: readonly DiffSection[], room: number): { text: string; left: number } {
  let [text, left] = ['', 0];
  for (const { title, rows, head } of sections.map(tableOf)) {
    const begun = `\n\n#### ${escapeMarkdown(title)}\n\n${head}`;
    const fitting: string[] = [];
    let length = text.length + begun.length;
    for (const row of rows) {
      length += row.length + 1;
      if (length <= room) fitting.push(row);
    }
    left += rows.length - fitting.length;
    if (fitting.length > 0) text += `${begun}\n${fitting.join('\n')}`;
  }
  return { text, left };
}

function tableOf({ title, lines }: DiffSection): { title: string; head: string; rows: string[] } {
  const cells = lines.map(({ sign, id, title: what, detail }) =>
    [`${sign} ${id}`, what, detail].map(shortened),
  );
  const [names = '', rule = '', ...rows] = table(['id', 'what', 'change'], cells).split('\n');
  return { title, head: `${names}\n${rule}`, rows };
}

function shortened(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 1).toWellFormed()}…` : text;
}
