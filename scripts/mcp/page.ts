// Long lists come page by page.
import type { Json } from '../../openapi/json.ts';

const mostRows = 50;
const usualRows = 20;

/** The members of an input that choose a page. */
export interface PageInput {
  cursor?: number;
  limit?: number;
}

/** Their schemas. */
export const pageSchemas: Readonly<Record<string, Json>> = {
  cursor: {
    type: 'integer',
    minimum: 0,
    description: '`next` of the page before; left out for the first page.',
  },
  limit: {
    type: 'integer',
    minimum: 1,
    description: `How many at most; more than ${mostRows} counts as ${mostRows}. Default: ${usualRows}.`,
  },
};

export function limitOf({ limit = usualRows }: PageInput): number {
  return Math.min(limit, mostRows);
}

/** A page of rows that are all there; `next` is left out on the last one. */
export function pageOfRows<Row>(
  rows: readonly Row[],
  input: PageInput,
): { rows: readonly Row[]; total: number; next?: number } {
  const from = input.cursor ?? 0;
  const to = from + limitOf(input);
  return {
    rows: rows.slice(from, to),
    total: rows.length,
    ...(to < rows.length && { next: to }),
  };
}
