import { type Figure, isWithin } from './row.ts';

interface MeasuredRow {
  id: string;
  figures: readonly Figure[];
}

const header = ['row', 'mock', 'against', 'value', 'budget', ''];

/** The figures as aligned text. */
export function formatTable(rows: readonly MeasuredRow[]): string {
  const lines = [header, ...rows.flatMap(({ id, figures }) => figures.map((figure) => cellsOf(id, figure)))];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellsOf(id: string, figure: Figure): string[] {
  const { measured, against = '', value, unit = '', budget } = figure;
  const isOk = isWithin(figure);
  return [
    id,
    measured,
    against,
    `${value.toFixed(2)} ${unit}`.trim(),
    budget ? `${budget.kind} ${budget.value}` : '',
    isOk === undefined ? '' : isOk ? 'ok' : 'short',
  ];
}
