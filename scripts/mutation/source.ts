import type { Location, Position } from './mutant.ts';

/** The code at a place. */
export function textAt(source: string, { start, end }: Location): string {
  return source.slice(offsetOf(source, start), offsetOf(source, end));
}

/** The line on which a place begins, without its indentation. */
export function firstLineAt(source: string, { start }: Location): string {
  return (source.split('\n')[start.line - 1] ?? '').trim();
}

/** Code in one line. */
export function oneLine(code: string): string {
  return code.replaceAll(/\s+/g, ' ').trim();
}

function offsetOf(source: string, { line, column }: Position): number {
  const before = source.split('\n').slice(0, line - 1);
  return before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
}
