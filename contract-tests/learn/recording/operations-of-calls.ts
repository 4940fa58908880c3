// The operations that recorded calls show: concrete calls become paths with parameters, and bodies become fields.
import { formatPointer, getAt } from '../../../openapi/json-pointer.ts';
import type { Credential, DescribedAnswer, DescribedOperation, Field, Link } from '../described-operation.ts';
import { bodyOf, type CallValue, isPaging, queryOf, valuesOf } from './call-values.ts';
import { pathBelow } from './choose-api.ts';
import { isConstant } from './constant-values.ts';
import { describeFields, formatOf } from './describe-fields.ts';
import { outcomeOf } from './envelope.ts';
import { groupCalls } from './group-calls.ts';
import { namesGiven } from './names-given.ts';
import { isName } from './plain-words.ts';
import { credentialOf, haveCredentials, isMethodOverride, ownHeadersOf } from './read-credential.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import type { SecretTexts } from './secret-texts.ts';
import { createSeenValues, type SeenValues, type Source } from './seen-values.ts';
import { stemOf, type TemplatedPath, templatePath } from './template-path.ts';
import { isSentByVisitors, type TypedWords, typedWords } from './typed-words.ts';

type Method = DescribedOperation['method'];

interface Call {
  method: Method;
  exchange: RecordedExchange;
  path: TemplatedPath;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  values: readonly (CallValue & { sources: readonly Source[] })[];
  credential: Credential;
  isVisitor: boolean;
}

interface Recorded {
  baseUrl: string;
  secrets: SecretTexts;
  /** Exchanges that are no calls of the API: what was typed there may stand in calls. */
  others: readonly RecordedExchange[];
}

/** Recorded, with the words that people have typed. */
interface Known extends Recorded {
  hasCredentials: boolean;
  isVisitors(exchange: RecordedExchange): boolean;
  typed: TypedWords;
}

/** The operations of calls that were answered with success, in the order of their first calls. */
export function operationsOfCalls(
  exchanges: readonly RecordedExchange[],
  recorded: Recorded,
): DescribedOperation[] {
  const hasCredentials = haveCredentials(exchanges);
  const isVisitors = (exchange: RecordedExchange) => isSentByVisitors(exchange, hasCredentials);
  const typed = typedWords({ calls: exchanges, others: recorded.others, isVisitors });
  const known = { ...recorded, hasCredentials, isVisitors, typed };
  const calls = readCalls(exchanges, known);
  const groups = groupCalls(calls);
  const operations = groups.map((group) => describe(group, { ...known, calls }));
  return withLinks(operations, { calls, groups, known });
}

const methods: ReadonlySet<string> = new Set<Method>(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

function isMethod(method: string): method is Method {
  return methods.has(method);
}

function readCalls(exchanges: readonly RecordedExchange[], known: Known): Call[] {
  const seen = createSeenValues();
  const given = namesGiven(exchanges);
  const calls: Call[] = [];
  for (const exchange of exchanges) {
    const call =
      outcomeOf(exchange) === 'success' &&
      readCall(exchange, { ...known, seen, given, number: calls.length });
    if (!call) continue;
    seen.add(calls.length, exchange.answer, lastWordOf(call.path.path));
    calls.push(call);
  }
  return calls;
}

type Reading = Known & { seen: SeenValues; given: ReadonlySet<string>; number: number };

function readCall(
  exchange: RecordedExchange,
  { baseUrl, secrets, typed, isVisitors, seen, given, number }: Reading,
) {
  const below = pathBelow(baseUrl, exchange.url);
  const { method } = exchange;
  if (below === undefined || !isMethod(method)) return undefined;
  const isGiven = (text: string) => given.has(text) || typed.has(text);
  const path = templatePath(below, { seen, call: number, isSecret: secrets.isInName, isGiven });
  const [query, body] = [queryOf(exchange), bodyOf(exchange)];
  const subject = stemOf(lastWordOf(path.path));
  const values = valuesOf({ method, query, body, subject, answer: exchange.answer }).map((value) => ({
    ...value,
    sources: value.stem === undefined ? [] : seen.find({ value: value.value, stem: value.stem }, number),
  }));
  const credential = credentialOf(exchange);
  const isVisitor = isVisitors(exchange);
  return { method, exchange, path, query, body, values, credential, isVisitor };
}

function lastWordOf(path: string): string {
  return path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '';
}

function describe(group: readonly Call[], known: Known & { calls: readonly Call[] }): DescribedOperation {
  const [first] = group;
  if (!first) throw new Error('a group has calls');
  const { path, values } =
    group.find((call) => call.path.values.some(({ sources }) => sources.length > 0))?.path ?? first.path;
  const bodies = group.flatMap(({ body }) => (body === undefined ? [] : [body]));
  const credentials = known.hasCredentials ? unique(group.map(({ credential }) => credential)) : undefined;
  const [query, sent] = [fieldsOf('query', group, known), fieldsOf('body', group, known)];
  const answers = answersOf(group, known);
  return {
    method: first.method,
    path,
    parameters: values.map(({ name }, index) => parameterOf(name, group, index)),
    query: query.filter(({ pointer }) => pointer !== ''),
    body: bodies.length === 0 ? undefined : sent,
    answers,
    auth: authOf(credentials),
    texts: [],
    tags: [],
    place: first.exchange.place,
    seen: {
      count: group.length,
      credentials,
      headers: unusualHeaders(group, known.calls).filter((name) => isShownName(name, known)),
      bodyType: (['form', 'other', 'json'] as const).find((type) =>
        group.some(({ exchange }) => exchange.bodyType === type),
      ),
      extras: extrasOf(group, { query, body: sent }),
      isCut: [query, sent].some(([root]) => root?.isCut ?? false),
      links: [],
      repeated: Object.fromEntries(
        values.map(({ name }, index) => [name, repeatedIn(group, answers, index)]),
      ),
    },
  };
}

/** Own headers of these calls that most others did not carry: they may say what is meant. */
function unusualHeaders(group: readonly Call[], calls: readonly Call[]): string[] {
  const carried = new Map(calls.map((call) => [call, new Set(ownHeadersOf(call.exchange))]));
  const others = calls.filter((call) => !group.includes(call));
  return unique(group.flatMap((call) => [...(carried.get(call) ?? [])])).filter((name) => {
    const count = others.filter((call) => carried.get(call)?.has(name)).length;
    return isMethodOverride(name) || (others.length > 0 && count < others.length / 2);
  });
}

/** Of each call, the places of what it sent that not all of them sent; pages and filters aside. */
function extrasOf(
  group: readonly Call[],
  fields: Readonly<Record<CallValue['in'], readonly Field[]>>,
): string[][] {
  const placesOf = (all: readonly CallValue[]) => all.map(({ in: where, pointer }) => `${where} ${pointer}`);
  const known = new Set(
    (['query', 'body'] as const).flatMap((where) =>
      fields[where].map(({ pointer }) => `${where} ${pointer}`),
    ),
  );
  const sent = group.map(({ values }) =>
    unique(placesOf(values.filter(({ path, isFilter }) => !isFilter && !isPaging(path.at(-1) ?? '')))),
  );
  const [first = [], ...rest] = sent;
  const always = new Set(first.filter((place) => rest.every((one) => one.includes(place))));
  return sent.map((places) => places.filter((place) => known.has(place) && !always.has(place)));
}

function parameterOf(name: string, group: readonly Call[], index: number): Field {
  const texts = group.flatMap(({ path }) => path.values[index]?.value ?? []);
  const isNumber = texts.every((text) => /^\d+$/.test(text));
  const [format] = unique(texts.map(formatOf));
  return {
    pointer: `/${name}`,
    types: [isNumber ? 'integer' : 'string'],
    isRequired: true,
    texts: [],
    ...(format !== undefined && { format }),
    values: [],
  };
}

/** The pointers at which the answers of the calls have the value that stands at a place of their paths; an answer may have nothing there. */
function repeatedIn(group: readonly Call[], answers: readonly DescribedAnswer[], index: number): string[] {
  const pointers = unique(answers.flatMap(({ body = [] }) => body.map(({ pointer }) => pointer)));
  return pointers.filter((pointer) => {
    const answered = group.filter(({ exchange }) => getAt(exchange.answer, pointer) !== undefined);
    return (
      answered.length > 0 &&
      answered.every(
        ({ path, exchange }) => String(getAt(exchange.answer, pointer)) === path.values[index]?.value,
      )
    );
  });
}

/** What was accepted; nobody knows whether anything else would be. */
function authOf(credentials: readonly Credential[] | undefined): DescribedOperation['auth'] {
  if (!credentials) return undefined;
  if (credentials.includes('none')) return 'none';
  const [byToken, byKey] = [credentials.includes('session-token'), credentials.includes('api-key')];
  if (byToken && byKey) return 'bearer';
  return byToken ? 'session' : byKey ? 'api-key' : undefined;
}

/** Members of these, in what visitors send, are named by who made the form. */
const forms = /^(fields|values|answers|inputs|form_?data|data)$/i;

function fieldsOf(where: 'query' | 'body', group: readonly Call[], known: Known): Field[] {
  const isVisitor = group.some((call) => call.isVisitor);
  const linked = new Set(
    group.flatMap(({ values }) =>
      values.filter((one) => one.in === where && one.sources.length > 0).map(({ pointer }) => pointer),
    ),
  );
  const bodies = group.flatMap((call) =>
    where === 'query' ? [call.query] : call.body === undefined ? [] : [call.body],
  );
  const filters = new Set(
    group.flatMap(({ values }) =>
      values.filter((one) => one.in === where && one.isFilter).map(({ pointer }) => pointer),
    ),
  );
  const fields = describeFields(bodies, {
    isConstant: (value, path) =>
      !linked.has(formatPointer(path)) &&
      isConstant(value, { path, where: 'request', isVisitor }) &&
      isShownValue(value, known),
    isOpaque: (path) => isVisitor && forms.test(path.at(-1) ?? ''),
    isSecret: (name) => !isShownName(name, known),
  });
  return fields.map((field) => (filters.has(field.pointer) ? { ...field, isRequired: false } : field));
}

function isShownValue(value: unknown, { secrets, typed }: Known): boolean {
  return !secrets.isIn(String(value)) && !typed.has(String(value));
}

function isShownName(name: string, { secrets, typed }: Known): boolean {
  return !secrets.isInName(name) && !typed.has(name);
}

function answersOf(group: readonly Call[], known: Known): DescribedAnswer[] {
  const byStatus = Map.groupBy(group, ({ exchange }) => exchange.status);
  return [...byStatus].map(([status, calls]) => {
    const bodies = calls.flatMap(({ exchange }) => (exchange.answer === undefined ? [] : [exchange.answer]));
    const body = describeFields(bodies, {
      isConstant: (value, path) =>
        isConstant(value, { path, where: 'answer', isVisitor: false }) && isShownValue(value, known),
      isOpaque: (path) => forms.test(path.at(-1) ?? '') && path.includes('*'),
      isSecret: (name) => !isShownName(name, known),
    });
    return { status, body: bodies.length === 0 ? undefined : body };
  });
}

/** So many links say enough of one operation. */
const mostLinks = 40;

/** The same operations with what their answers gave to later calls. */
function withLinks(
  operations: readonly DescribedOperation[],
  { calls, groups, known }: { calls: readonly Call[]; groups: readonly (readonly Call[])[]; known: Known },
): DescribedOperation[] {
  const isShown = (pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .every((part) => part === '*' || (isName(part) && isShownName(part, known)));
  const indexOf = new Map(groups.flatMap((group, index) => group.map((call) => [call, index] as const)));
  const links = operations.map(() => new Map<string, Link>());
  for (const call of calls) {
    const user = operations[indexOf.get(call) ?? -1];
    if (!user) continue;
    const add = (sources: readonly Source[], where: Link['usedBy']['in'], pointer: string) => {
      for (const source of sources) {
        const giver = calls[source.call];
        const own = giver && links[indexOf.get(giver) ?? -1];
        const link: Link = {
          pointer: source.pointer,
          usedBy: { method: user.method, path: user.path, in: where, pointer },
        };
        if (own && own.size < mostLinks && isShown(source.pointer)) own.set(JSON.stringify(link), link);
      }
    };
    for (const [index, { sources }] of call.path.values.entries())
      add(sources, 'path', user.parameters?.[index]?.pointer ?? '');
    for (const value of call.values) if (isShown(value.pointer)) add(value.sources, value.in, value.pointer);
  }
  return operations.map((operation, index) => ({
    ...operation,
    ...(operation.seen && { seen: { ...operation.seen, links: [...(links[index]?.values() ?? [])] } }),
  }));
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
