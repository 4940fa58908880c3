// Whether a profile is right about what is a list. Where an operation is, is a gap: only what shows a list is judged as one.
import { isObject } from '../../../openapi/json.ts';
import { getAt } from '../../../openapi/json-pointer.ts';
import { gapValue } from '../../../openapi/profile.ts';
import { gapOf } from '../../calls/profile-calls.ts';
import type { Context } from '../../context.ts';
import type { Exchange } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';

type ListId = 'listSites' | 'listKeys' | 'listSubscriptions' | 'listDeliveries';

/** Throws NotVerified where no answer of an operation has a list, neither in data.list nor with its items elsewhere. */
export function requireListEndpoint(context: Context, id: ListId, seen: readonly Exchange[]): void {
  const items = itemPointers(context, id);
  const showsList = ({ response: { json } }: Exchange) =>
    Array.isArray(getAt(json, '/data/list')) ||
    arraysIn(json).some((array) => array.some((item) => items.some((at) => getAt(item, at) !== undefined)));
  if (seen.some(showsList)) return;
  const gap = gapOf(context, id);
  context.observations.drifts(gap, 'an answer without a list');
  throw new NotVerified(`no answer of ${gap} has a list, so it may be no list endpoint; state one that is`);
}

/** Where the profile says that an item has its members. */
function itemPointers(context: Context, id: ListId): string[] {
  const call = gapValue(context.profile, gapOf(context, id));
  if (!isObject(call)) return [];
  return Object.entries(call).flatMap(([name, at]) =>
    name.startsWith('item.') && typeof at === 'string' ? [at] : [],
  );
}

/** The arrays within a value, however deep. */
function arraysIn(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(arraysIn);
  return Array.isArray(value) ? [value, ...inner] : inner;
}
