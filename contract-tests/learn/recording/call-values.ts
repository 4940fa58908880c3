// The values that a call sends in its query and its body, and what each of them may be an identifier of.
import { isObject } from '../../../openapi/json.ts';
import { formatPointer } from '../../../openapi/json-pointer.ts';
import { isChoice, isFilter, isWritten } from './constant-values.ts';
import { identifiedBy, singular, wordsOf } from './plain-words.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

export interface CallValue {
  in: 'query' | 'body';
  path: readonly string[];
  pointer: string;
  value: unknown;
  /** What it may be an identifier of; undefined where it is none by its name. */
  stem: string | undefined;
  /** Whether it only narrows or sorts the list that is answered. */
  isFilter: boolean;
}

/** What a call sends in its query, by name; of several values of a name the last. What only keeps caches away is left out. */
export function queryOf({ url }: RecordedExchange): Record<string, unknown> {
  const sent = [...new URL(url).searchParams].filter(([name, value]) => !keepsCachesAway(name, value));
  return Object.fromEntries(sent.map(([name, value]) => [name, readText(value)]));
}

/** A body; the texts of a form are read as what they mean. */
export function bodyOf({ requestBody, bodyType }: RecordedExchange): unknown {
  if (bodyType !== 'form' || !isObject(requestBody)) return requestBody;
  return Object.fromEntries(
    Object.entries(requestBody).map(([name, value]) => [name, readText(String(value))]),
  );
}

function readText(text: string): unknown {
  if (/^-?(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

/** "_=1795256817000", "t=0.8123". */
function keepsCachesAway(name: string, value: string): boolean {
  const isOdd = /^(\d{10,17}|0\.\d+)$/.test(value);
  return name === '_' || (isOdd && /^_?(t|ts|r|rnd|rand|random|time|timestamp|cb|v|nocache)$/i.test(name));
}

const most = { levels: 8, values: 500, items: 20 };

interface Sent {
  method: string;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  /** The last word of its path. */
  subject: string;
  answer: unknown;
}

/** The scalars that a call sends. */
export function valuesOf(sent: Sent): CallValue[] {
  const { query, body, subject } = sent;
  const isList = asksForList(sent);
  const values: CallValue[] = [];
  const walk = (where: CallValue['in'], value: unknown, path: readonly string[]): void => {
    if (values.length >= most.values || path.length > most.levels) return;
    if (Array.isArray(value))
      for (const item of value.slice(0, most.items)) walk(where, item, [...path, '*']);
    else if (isObject(value))
      for (const [key, part] of Object.entries(value)) walk(where, part, [...path, key]);
    else {
      const stem = stemOf(path, subject);
      const [name = '', ...below] = path;
      const narrows = isList && below.length === 0 && identifiedBy(name) === undefined && isFilter(name);
      values.push({ in: where, path, pointer: formatPointer(path), value, stem, isFilter: narrows });
    }
  };
  walk('query', query, []);
  walk('body', body, []);
  return values;
}

/** Some ask for lists by POST, with the page in the body. */
function asksForList({ method, query, body, answer }: Sent): boolean {
  const names = Object.keys(isObject(body) ? { ...query, ...body } : query);
  const isAsking = method === 'GET' || (method === 'POST' && names.some(isPaging));
  const data = isObject(answer) ? answer.data : undefined;
  const hasObjects =
    isObject(data) && Object.values(data).some((one) => Array.isArray(one) && isObject(one[0]));
  return isAsking && (hasObjects || hasList(answer));
}

/** Whether an answer is a list. */
export function hasList(answer: unknown): boolean {
  const data = isObject(answer) ? answer.data : undefined;
  return Array.isArray(data) || (isObject(data) && Array.isArray(data.list));
}

const paging = new Set(
  'page pages pageno pagenum pageindex pagesize size limit offset skip take from to start count num number per current rows'.split(
    ' ',
  ),
);

/** Whether a name is about pages. */
export function isPaging(name: string): boolean {
  const words = wordsOf(name);
  return paging.has(words.join('')) || (words.length > 0 && words.every((word) => paging.has(word)));
}

function stemOf(path: readonly string[], subject: string): string | undefined {
  const names = path.filter((part) => part !== '*');
  const name = names.at(-1) ?? '';
  if (isPaging(name) || isWritten(name) || isChoice(name)) return undefined;
  const identified = identifiedBy(name);
  if (identified === undefined) return wordsOf(name).map(singular).join('-');
  return identified === '' ? (names.at(-2) ?? subject) : identified;
}
