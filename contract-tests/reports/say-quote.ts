/** The first cells of all table headers in the interface document. */
export const firstColumns = ['Attribute', 'Channel', 'Event', 'Field', 'Header', 'Limit', 'Method'];

/** Writes table rows as text: "username (type: string; required: yes)". In the quote, the header precedes them. */
export function sayQuote(quote: string): string {
  const parts: string[] = [];
  let columns: string[] = [];
  for (const part of quote.split(' … ')) {
    const [first = '', ...others] = cellsOf(part);
    if (others.length === 0) parts.push(first);
    else if (firstColumns.includes(first)) columns = [first, ...others];
    else parts.push(sayRow([first, ...others], columns));
  }
  return parts.join(' … ');
}

/** The cells of a table row, or the text itself. */
export function cellsOf(part: string): string[] {
  return part.startsWith('|') ? part.replace(/^\|\s*|\s*\|$/g, '').split(/\s*\|\s*/) : [part];
}

/** The method and the path of an operation together are its name. */
function sayRow(cells: readonly string[], columns: readonly string[]): string {
  const named = columns[0] === 'Method' ? 2 : 1;
  const values = cells.slice(named).map((cell, index) => {
    const column = columns[named + index];
    return column === undefined ? cell : `${column.toLowerCase()}: ${cell}`;
  });
  return `${cells.slice(0, named).join(' ')} (${values.join('; ')})`;
}
