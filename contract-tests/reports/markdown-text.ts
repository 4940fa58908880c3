// Escapes any text for Markdown.
import { visibleLines } from '../core/visible-text.ts';

/** A text within a paragraph, an item or a cell: nothing in it marks anything up, links, or calls somebody. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(/[&<>\\`*_[\]|~$]/g, (one) => entities[one] ?? `\\${one}`)
    .replace(/^[-+=](?=[-=\s]*$|\s)|(?<=^\d{1,9})[.)](?=\s|$)/, '\\$&')
    .replace(/[@#]|\bGH(?=-\d)/gi, `$&${nothing}`)
    .replace(/:(?=\/\/)|(?<=www)\./gi, (one) => `&#${one.charCodeAt(0)};`);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** GitHub looks for mentions and issues in what is shown, where a backslash is gone; what has no width keeps the sign and the name apart. */
const nothing = '&#8203;';

/** A text as code, within a paragraph. */
export function code(text: string): string {
  const marks = '`'.repeat(longestRun(text) + 1);
  const inside = oneLine(text);
  return /^`|`$|^ .* $/.test(inside) ? `${marks} ${inside} ${marks}` : `${marks}${inside}${marks}`;
}

/** A block of code. */
export function fence(text: string, language: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${language}\n${visibleLines(text)}\n${marks}`;
}

/** A table of texts. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((cells) => line(cells.map(escapeMarkdown))),
  ].join('\n');
}

function oneLine(text: string): string {
  return visibleLines(text).replace(/\s+/g, ' ');
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
