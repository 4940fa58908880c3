// Lists as `list` and `total` (section 2.1). Paging is not documented, so the profile defines it.
import type { Call, Values } from '../service.ts';

export interface Page {
  /** From 1. */
  page?: number;
  page_size?: number;
}

const defaultSize = 20;

/** The whole list or, if the deployment has pages, the requested one. */
export function answerList<Entry>(
  { operation, input }: Call<Page>,
  all: readonly Entry[],
  show: (entry: Entry) => Values,
): Values {
  const { page = 1, page_size: size = defaultSize } = input;
  const shown = operation.query ? all.slice((page - 1) * size, page * size) : all;
  return { list: shown.map(show), total: all.length };
}
