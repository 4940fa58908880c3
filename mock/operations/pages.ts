// Lists are answered as `list` and `total` (section 2.1). Paging is not documented, so the profile defines it.
import { namesIn } from '../../openapi/operations.ts';
import { invalidRequest } from '../http/api-errors.ts';
import type { Call, Values } from '../service.ts';

export interface Page {
  /** From 1. */
  page?: number;
  page_size?: number;
  offset?: number;
  limit?: number;
  /** The `next` of an earlier answer. */
  cursor?: string | number;
}

const defaultSize = 20;

export function answerList<Entry>(
  { operation, input }: Call<Page>,
  all: readonly Entry[],
  show: (entry: Entry) => Values,
): Values {
  const total = all.length;
  if (!namesIn(operation).some((name) => pageNames.includes(name))) return { list: all.map(show), total };
  const { page = 1, page_size, limit, offset, cursor } = input;
  const size = page_size ?? limit ?? defaultSize;
  const from = cursor === undefined ? (offset ?? (page - 1) * size) : readCursor(cursor);
  const next = from + size < total ? writeCursor(from + size) : undefined;
  return { list: all.slice(from, from + size).map(show), total, next };
}

/** Lists show the state at this time, which a variation puts in the past. */
export function listedAt({ now, settings }: Pick<Call<unknown>, 'now' | 'settings'>): number {
  return now - (settings.habits.listLagMs ?? 0);
}

const pageNames = ['page', 'page_size', 'offset', 'limit', 'cursor'];

/** Encoded, so that clients do not compute cursors. */
function writeCursor(from: number): string {
  return Buffer.from(`from ${from}`).toString('base64url');
}

function readCursor(cursor: string | number): number {
  const [, from] = /^from (\d+)$/.exec(Buffer.from(String(cursor), 'base64url').toString()) ?? [];
  if (from === undefined)
    throw invalidRequest([{ at: 'the cursor', expected: 'a cursor of an earlier answer' }]);
  return Number(from);
}
