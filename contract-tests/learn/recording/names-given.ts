// The names that people gave to sites, keys and forms: a path may hold them, too.
import { isWritten } from './constant-values.ts';
import { wordsOf } from './plain-words.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

const most = { names: 10_000, levels: 12, items: 200 };

/** Words under the names of what people write, such as "title", and names of forms. */
export function namesGiven(exchanges: readonly RecordedExchange[]): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (value: unknown, key: string, level: number): void => {
    if (level > most.levels || names.size >= most.names) return;
    if (typeof value === 'string' && isGiven(value, key)) names.add(value);
    else if (Array.isArray(value)) for (const item of value.slice(0, most.items)) walk(item, key, level + 1);
    else if (typeof value === 'object' && value !== null)
      for (const [name, part] of Object.entries(value)) walk(part, name, level + 1);
  };
  for (const { answer, requestBody } of exchanges)
    for (const body of [answer, requestBody]) walk(body, '', 0);
  return names;
}

/** A word in small letters may be a part of a path as well; that of a form is known by its member. */
function isGiven(value: string, key: string): boolean {
  if (!/^[\w-]{1,64}$/.test(value)) return false;
  const isForm = wordsOf(key)[0] === 'form' || key === '表单';
  return isForm || (isWritten(key) && /[A-Z]/.test(value));
}
