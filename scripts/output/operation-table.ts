// The operations that were looked for, as a table for the screen.

import { visible } from '../../contract-tests/core/visible-text.ts';
import type { OperationRow } from '../../contract-tests/learn/learnt-findings.ts';

/** The width in columns of what is no terminal. */
const usualWidth = 120;

/** Columns that calls leave to verdicts, and columns that calls have on any terminal. */
const [verdictWidth, leastCallWidth] = [40, 24];

/** Lines of three columns, gap, call and verdict, wrapped to that width. Words that are longer than their column stay whole. */
export function operationTable(
  rows: readonly OperationRow[],
  width = process.stderr.columns || usualWidth,
): string[] {
  const cells = rows.map((row) => ({
    name: row.name,
    call: visible(row.call),
    verdict: visible(sayVerdict(row)),
  }));
  const nameWidth = widest(cells.map(({ name }) => name));
  const mostCallWidth = Math.max(leastCallWidth, width - nameWidth - 6 - verdictWidth);
  const callWidth = Math.min(widest(cells.map(({ call }) => call)), mostCallWidth);
  const indent = ' '.repeat(nameWidth + callWidth + 6);
  const lines = cells.flatMap(({ name, call, verdict }) => {
    const start = `  ${name.padEnd(nameWidth)}  ${call.padEnd(callWidth)}  `;
    const [first = '', ...more] = wrap(verdict, width - indent.length);
    const rest = more.map((line) => indent + line);
    // The verdict begins below a call that is longer than its column.
    return start.length > indent.length
      ? [start.trimEnd(), indent + first, ...rest]
      : [start + first, ...rest];
  });
  // A wrapped line may begin with what a log obeys.
  return lines.map(visible);
}

function sayVerdict({ state, why }: OperationRow): string {
  if (why === '') return state;
  return `${state}${state === 'not found' ? ';' : ':'} ${why}`;
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
