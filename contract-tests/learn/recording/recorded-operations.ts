// Turns recorded calls into operations: paths become templates, bodies become fields.
import { bareCall, type DescribedOperation, type Field, nameOf } from '../described-operation.ts';
import { identifiedBy, thingIn } from '../words.ts';
import type { Exchange } from './read-har.ts';
import { fieldsOfValues, hiddenName, isShownName } from './shown.ts';

export interface Call {
  exchange: Exchange;
  path: string;
  query: Readonly<Record<string, string>>;
}

/** Undefined if the URL is not below the base. */
export function placeCall(exchange: Exchange, base: URL): Call | undefined {
  const url = URL.parse(exchange.url, base.href);
  const start = base.pathname.replace(/\/+$/, '');
  if (url?.origin !== base.origin || !url.pathname.startsWith(`${start}/`)) return undefined;
  const path = templateOf(url.pathname.slice(start.length));
  return { exchange, path, query: Object.fromEntries(url.searchParams) };
}

/** Turns each part that must not be shown into a parameter named after the part before it. */
function templateOf(path: string): string {
  const names: string[] = [];
  const parts = path.split('/');
  const written = parts.map((part, number) => {
    if (part === '' || isShownName(part)) return part;
    // For example "/sites/101:publish".
    const [, action = ''] = /:([A-Za-z]+)$/.exec(part) ?? [];
    const isShown = !part.includes(':') || isShownName(action);
    const before = parts[number - 1] ?? '';
    const thing = isShown && isShownName(before) ? thingIn(before) : undefined;
    names.push(thing === undefined ? 'parameter' : `${thing}Id`);
    const count = names.filter((one) => one === names.at(-1)).length;
    return `{${names.at(-1)}${count === 1 ? '' : count}}${action && isShown ? `:${action}` : ''}`;
  });
  return written.join('/');
}

export function operationsOfCalls(calls: readonly Call[]): DescribedOperation[] {
  const hasCredentials = calls.some(({ exchange }) => exchange.headers.has('authorization'));
  return [...Map.groupBy(calls, keyOf).values()].map((group) => ({
    ...describe(group as [Call, ...Call[]]),
    auth: hasCredentials ? authOf(group) : undefined,
  }));
}

/** Calls of one operation share method, path, flags and names of identifiers. */
function keyOf({ exchange: { method, body }, path, query }: Call): string {
  const fields = fieldsOfValues([{ query, body }]);
  const signs = fields.filter((field) => field.allowed || identifiedBy(nameOf(field)));
  const texts = signs.map(({ pointer, allowed = [] }) => `${pointer}=${allowed.join()}`);
  return [bareCall({ method, path }), ...texts.sort()].join(' ');
}

function describe(group: readonly [Call, ...Call[]]): Omit<DescribedOperation, 'auth'> {
  const [{ exchange, path }] = group;
  const { method, place, isOtherBody } = exchange;
  const bodies = group.map((call) => call.exchange.body).filter((body) => body !== undefined);
  const query = sentFields(group.map((call) => call.query)).slice(1);
  return {
    ...{ method, path, place, texts: [], tags: [], isCalled: true },
    // Hidden query members of a read are harmless.
    query: method === 'GET' ? query.filter((field) => nameOf(field) !== hiddenName) : query,
    body: bodies.length === 0 ? undefined : sentFields(bodies),
    answers: answersOf(group),
    doubts: isOtherBody ? [`the body is not JSON; see ${place}`] : [],
  };
}

/** Marks constants and hidden members as required: a recording cannot show which other members are optional. */
function sentFields(values: readonly unknown[]): Field[] {
  return fieldsOfValues(values).map((field) => ({
    ...field,
    isRequired: field.allowed !== undefined || nameOf(field) === hiddenName,
  }));
}

function answersOf(group: readonly Call[]): DescribedOperation['answers'] {
  const byStatus = Map.groupBy(group, ({ exchange: { status } }) => (status === 304 ? 200 : status));
  return [...byStatus].map(([status, calls]) => {
    const answers = calls.map(({ exchange: { answer } }) => answer).filter((one) => one !== undefined);
    return { status, body: answers.length === 0 ? undefined : fieldsOfValues(answers, () => false) };
  });
}

/** The accepted credentials; the service may also accept others. */
function authOf(group: readonly Call[]): DescribedOperation['auth'] {
  const sent = group.map(({ exchange: { headers } }) => headers);
  const tokens = sent.map((headers) => headers.get('authorization') ?? headers.get('cookie'));
  if (tokens.includes(undefined)) return 'none';
  const kinds = new Set(tokens.map((token = '') => (/^(\S+\s+)?sp_/.test(token) ? 'api-key' : 'session')));
  return kinds.size > 1 ? 'bearer' : [...kinds][0];
}
