import { visibleLines } from '../core/visible-text.ts';

/** Escapes a text for a paragraph, item or cell, so that it cannot contain markup, links or mentions. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(/[&<>\\`*_[\]|~$]/g, (one) => entities[one] ?? `\\${one}`)
    .replace(/^[-+=](?=[-=\s]*$|\s)|(?<=^\d{1,9})[.)](?=\s|$)/, '\\$&')
    .replace(/[@#]|\bGH(?=-\d)/gi, `$&${zeroWidthSpace}`)
    .replace(/:(?=\/\/)|(?<=www)\./gi, (one) => `&#${one.charCodeAt(0)};`);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A zero-width space: GitHub finds mentions and issues in the rendered text, so escaping with a backslash does not help. */
const zeroWidthSpace = '&#8203;';

export function code(text: string): string {
  const marks = '`'.repeat(longestRun(text) + 1);
  const inside = oneLine(text);
  return /^`|`$|^ .* $/.test(inside) ? `${marks} ${inside} ${marks}` : `${marks}${inside}${marks}`;
}

export function fence(text: string, language: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${language}\n${visibleLines(text)}\n${marks}`;
}

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
