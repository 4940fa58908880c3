// Escapes any text for Markdown.
import { replaceControls } from './xml.ts';

/** A text within a paragraph or a cell: nothing in it marks anything up. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]|~#$@]/g, '\\$&');
}

/** A text as code, within a paragraph. */
export function code(text: string): string {
  const marks = '`'.repeat(longestRun(text) + 1);
  const inside = oneLine(text);
  return /^`|`$|^ .* $/.test(inside) ? `${marks} ${inside} ${marks}` : `${marks}${inside}${marks}`;
}

/** A block of code. */
export function fence(text: string, language: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${language}\n${replaceControls(text).replace(/\r\n?/g, '\n')}\n${marks}`;
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
  return replaceControls(text).replace(/\s+/g, ' ');
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
