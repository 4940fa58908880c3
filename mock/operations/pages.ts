// Lists as `list` and `total` (section 2.1). Paging is not documented, so the profile defines it.
import type { Call, Values } from '../service.ts';

export interface Page {
  /** From 1. */
  page?: number;
  page_size?: number;
}

const defaultSize = 20;

/** The whole list or, if the deployment has pages, the requested one. */
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
