// The operations that recorded calls show: paths become templates, and bodies become fields.
import querystring from 'node:querystring';
import { isObject } from '../../../openapi/json.ts';
import { parsePointer } from '../../../openapi/json-pointer.ts';
import { type DescribedOperation, type Field, nameOf } from '../described-operation.ts';
import { fieldsOfValues } from '../fields.ts';
import { identifiedBy, isVersionName, thingIn } from '../words.ts';
import type { Exchange } from './read-har.ts';
import { isShownName, isShownValue } from './shown.ts';

export interface Call {
  exchange: Exchange;
  path: Template;
  query: Readonly<Record<string, string>>;
}

/** In characters; nobody gives an API a longer one. */
const longestAddress = 4_000;

/** Undefined if its address is not below the base. */
export function placeCall(exchange: Exchange, base: URL): Call | undefined {
  const url = exchange.url.length > longestAddress ? null : URL.parse(exchange.url, base.href);
  const start = base.pathname.replace(/\/+$/, '');
  if (url?.origin !== base.origin || !url.pathname.startsWith(`${start}/`)) return undefined;
  const path = templateOf(url.pathname.slice(start.length));
  // "_=1795889580074" keeps caches away.
  const query = [...url.searchParams].filter(([name]) => /\p{L}/u.test(name));
  return { exchange, path, query: Object.fromEntries(query) };
}

interface Template {
  /** "/tenant/sites/{siteId}". */
  text: string;
  /** What stood in the place of each parameter. */
  values: readonly string[];
  /** The numbers of the parts of which nothing is known. */
  unclear: readonly number[];
}

function templateOf(path: string): Template {
  const [values, unclear, names]: [string[], number[], string[]] = [[], [], []];
  const parts = path.split('/');
  const written = parts.map((part, number) => {
    if (part === '' || isShownName(part)) return part;
    // "/sites/101:publish".
    const [, value = part, action = ''] = /^([^:]+)(:[A-Za-z]+)$/.exec(part) ?? [];
    const isShown = !part.includes(':') || isShownName(action.slice(1));
    const before = parts[number - 1] ?? '';
    const thing = isShown && isShownName(before) ? thingIn(before) : undefined;
    if (thing === undefined) unclear.push(number);
    const name = thing === undefined ? 'parameter' : `${thing}Id`;
    const count = names.filter((one) => one === name).length;
    names.push(name);
    values.push(querystring.unescape(value));
    return `{${name}${count === 0 ? '' : count + 1}}${isShown ? action : ''}`;
  });
  return { text: written.join('/'), values, unclear };
}

/** The operations of calls that were answered with success. */
export function operationsOfCalls(calls: readonly Call[]): DescribedOperation[] {
  const sent = new Set(calls.flatMap(({ path }) => path.values));
  const hasCredentials = calls.some(({ exchange }) => exchange.headers.has('authorization'));
  return [...Map.groupBy(calls, keyOf).values()].map((group) => ({
    ...describe(group),
    answers: answersOf(group, sent),
    auth: hasCredentials ? authOf(group) : undefined,
  }));
}

const shown = { isShownName, isShownValue };

/** Calls of one operation have the same method, path, flags, and names of identifiers. */
function keyOf({ exchange: { method, body }, path, query }: Call): string {
  const fields = fieldsOfValues([{ query, body }], shown);
  const signs = fields.filter(
    (field) => field.allowed !== undefined || identifiedBy(nameOf(field)) !== undefined,
  );
  const texts = signs.map(({ pointer, allowed = [] }) => `${pointer}=${allowed.join()}`);
  return [method, path.text.replace(/\{\w+\}/g, '{}'), ...texts.sort()].join(' ');
}

function describe(group: readonly Call[]) {
  const [{ exchange, path }] = group as [Call];
  const { method, place, isOtherBody } = exchange;
  const bodies = group.flatMap(({ exchange: { body } }) => (body === undefined ? [] : [body]));
  return {
    method,
    path: path.text,
    query: sentFields(group.map((call) => call.query)).slice(1),
    body: bodies.length === 0 ? undefined : sentFields(bodies),
    doubts: [
      ...(path.unclear.length > 0 ? [`${sayParts(path.unclear)} left out; see ${place}`] : []),
      ...(isOtherBody ? [`its body is no JSON; see ${place}`] : []),
    ],
    texts: [],
    tags: [],
    place,
    isCalled: true,
  };
}

function sayParts(numbers: readonly number[]): string {
  return numbers.length === 1
    ? `part ${numbers[0]} of its path is`
    : `parts ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)} of its path are`;
}

/** Marks only constants as required: a recording cannot show which other members may be left out. */
function sentFields(values: readonly unknown[]): Field[] {
  return fieldsOfValues(values, shown).map((field) => ({
    ...field,
    isRequired: field.allowed !== undefined,
  }));
}

/** `sent`: the values in the paths of all calls. */
function answersOf(group: readonly Call[], sent: ReadonlySet<string>): DescribedOperation['answers'] {
  // Versions are small numbers, as other identifiers are.
  const own = new Set(group.flatMap(({ path }) => path.values));
  const byStatus = Map.groupBy(group, ({ exchange: { status } }) => (status === 304 ? 200 : status));
  return [...byStatus].map(([status, calls]) => {
    const answers = calls.flatMap(({ exchange: { answer } }) => (answer === undefined ? [] : [answer]));
    const body = fieldsOfValues(answers, { isShownName }).map((field) => {
      const name = nameOf(field);
      if (identifiedBy(name) === undefined && !isVersionName(name)) return field;
      const values = answers.flatMap((answer) => valuesAt(answer, parsePointer(field.pointer)));
      const among = isVersionName(name) ? own : sent;
      return { ...field, isSent: values.some((value) => among.has(String(value))) };
    });
    return { status, body: answers.length === 0 ? undefined : body };
  });
}

/** The texts and numbers at a pointer, in which "*" stands for the items of a list. */
function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return typeof value === 'object' ? [] : [value];
  if (name === '*') return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  return isObject(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : [];
}

/** What was accepted; nobody knows whether anything else would be. */
function authOf(group: readonly Call[]): DescribedOperation['auth'] {
  const tokens = group.map(
    ({ exchange: { headers } }) => headers.get('authorization') ?? headers.get('cookie'),
  );
  if (tokens.includes(undefined)) return 'none';
  const kinds = new Set(tokens.map((token = '') => (/^(\S+\s+)?sp_/.test(token) ? 'api-key' : 'session')));
  return kinds.size > 1 ? 'bearer' : [...kinds][0];
}
