// Which calls are of one operation: the same method and path, and no identifier, flag or choice that tells them apart.
import type { CallValue } from './call-values.ts';
import { hasList, isPaging } from './call-values.ts';
import { isChoice, isConstant } from './constant-values.ts';
import { identifiedBy } from './plain-words.ts';
import type { TemplatedPath } from './template-path.ts';

export interface GroupedCall {
  method: string;
  path: TemplatedPath;
  values: readonly CallValue[];
  isVisitor: boolean;
  exchange: { answer: unknown };
}

/** The calls in groups, in the order of the first of each. */
export function groupCalls<T extends GroupedCall>(calls: readonly T[]): T[][] {
  const byPath = Map.groupBy(calls, ({ method, path }) => `${method} ${path.path.replace(/\{\w+\}/g, '{}')}`);
  return [...byPath.values()].flatMap((some) => {
    const many = pointersOfMany(some);
    return [...Map.groupBy(some, (call) => signatureOf(call, many)).values()];
  });
}

/** So many choices at one place are the values of one operation. */
const mostChoices = 3;

function pointersOfMany(calls: readonly GroupedCall[]): Set<string> {
  const chosen = new Map<string, Set<string>>();
  for (const { values } of calls)
    for (const one of values) {
      const place = `${one.in}${one.pointer}`;
      chosen.set(place, (chosen.get(place) ?? new Set()).add(String(one.value)));
    }
  return new Set([...chosen].flatMap(([place, values]) => (values.size > mostChoices ? [place] : [])));
}

/** What tells a call from others of the same path. */
function signatureOf({ values, isVisitor, exchange }: GroupedCall, many: ReadonlySet<string>): string {
  const signs = values.flatMap(({ in: where, path, pointer, value, isFilter }) => {
    const name = path.findLast((part) => part !== '*') ?? '';
    const place = `${where}${pointer}`;
    if (isPaging(name) || isFilter) return [];
    if (identifiedBy(name) !== undefined) return [place];
    if (path.includes('*') || typeof value === 'number') return [];
    if (!isConstant(value, { path, where: 'request', isVisitor })) return [];
    const isApart = !many.has(place) && (typeof value === 'boolean' || isChoice(name));
    return [isApart ? `${place}=${String(value)}` : place];
  });
  // A list is another operation than one of its items.
  return [...new Set(signs), hasList(exchange.answer) ? 'list' : 'one'].sort().join('&');
}
