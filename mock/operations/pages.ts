// Lists, as the document has them: `list` and `total` (section 2.1). Paging is not documented, so it is up to the profile.
import type { Call, Values } from '../service.ts';

export interface Page {
  /** Counts from 1. */
  page?: number;
  page_size?: number;
}

const defaultSize = 20;

/** All of a list, or the page of it that was asked for where the deployment has pages. */
export function answerList(
  { operation, input }: Pick<Call<Page>, 'operation' | 'input'>,
  all: readonly Values[],
): Values {
  if (!operation.query) return { list: all, total: all.length };
  const { page = 1, page_size: size = defaultSize } = input;
  return { list: all.slice((page - 1) * size, page * size), total: all.length };
}

/** A time as answers show it. */
export function dateTime(at: number): string {
  return new Date(at).toISOString();
}
