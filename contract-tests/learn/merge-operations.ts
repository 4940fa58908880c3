// Joins what a description says of an operation and what its recorded calls have shown, so that one operation is no rival of itself.
import type { DescribedAnswer, DescribedOperation, Field } from './described-operation.ts';
import { isFilter } from './recording/constant-values.ts';

/** Recorded operations with what descriptions say of them; those of descriptions that no call has shown stay as they are. */
export function mergeOperations(operations: readonly DescribedOperation[]): DescribedOperation[] {
  const described = operations.filter(({ seen }) => !seen);
  const recorded = operations.filter(({ seen }) => seen);
  if (described.length === 0 || recorded.length === 0) return [...operations];
  const [saidAt, seenAt] = [Map.groupBy(described, callOf), Map.groupBy(recorded, callOf)];
  const taken = new Set<DescribedOperation>();
  const merged = recorded.map((one) => {
    const call = callOf(one);
    const candidates = saidAt.get(call) ?? [];
    const said = likeliest(one, candidates);
    if (!said) return one;
    taken.add(said);
    const siblings = (seenAt.get(call) ?? []).filter((other) => other !== one);
    return merge(one, said, { siblings, isShared: candidates.length > 1 });
  });
  return [...described.filter((one) => !taken.has(one)), ...merged];
}

/** Method and path, without the names of parameters. */
function callOf({ method, path }: DescribedOperation): string {
  return `${method} ${bare(path)}`;
}

/** Of several of one path, the one whose body is the most alike. */
function likeliest(
  recorded: DescribedOperation,
  candidates: readonly DescribedOperation[],
): DescribedOperation | undefined {
  if (candidates.length < 2) return candidates[0];
  const sent = pointersOf(recorded.body);
  const unlike = ({ body = [] }: DescribedOperation) => {
    const said = pointersOf(body);
    const lacking = body.filter(({ isRequired, pointer }) => isRequired && !sent.has(pointer));
    return [...sent].filter((pointer) => !said.has(pointer)).length + lacking.length;
  };
  return candidates.toSorted((one, other) => unlike(one) - unlike(other))[0];
}

function bare(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}').replace(/\/+$/, '');
}

function pointersOf(fields: readonly Field[] = []): Set<string> {
  return new Set(fields.map(({ pointer }) => pointer));
}

interface Company {
  /** Other recorded operations of the same path, such as the one with another flag. */
  siblings: readonly DescribedOperation[];
  /** Whether several of a description have the same path. */
  isShared: boolean;
}

function merge(
  recorded: DescribedOperation,
  described: DescribedOperation,
  { siblings, isShared }: Company,
): DescribedOperation {
  const { id, texts, tags, isDeprecated, path, parameters, auth } = described;
  const others = (where: 'query' | 'body') => siblings.map((one) => pointersOf(one[where]));
  const body = recorded.body && mergeFields(recorded.body, described.body ?? [], others('body'));
  return {
    ...recorded,
    path: recorded.path.endsWith('/') ? `${path.replace(/\/$/, '')}/` : path.replace(/(?<=.)\/$/, ''),
    parameters,
    auth: mergeAuth(recorded.auth, auth),
    query: requireSaid(mergeFields(recorded.query, described.query, others('query')), described.query),
    body,
    answers: recorded.answers.map((answer) => mergeAnswer(answer, described)),
    // The words of a call that does several things are about one of them.
    ...(siblings.length === 0 && !isShared && { texts, tags, ...(id !== undefined && { id }) }),
    ...(isDeprecated && { isDeprecated }),
    place: `${described.place} and ${recorded.place}`,
  };
}

/** What was accepted tells of the credentials that were tried alone. */
function mergeAuth(
  seen: DescribedOperation['auth'],
  said: DescribedOperation['auth'],
): DescribedOperation['auth'] {
  if (seen === undefined || said === undefined) return seen ?? said;
  return seen === 'none' || said === 'none' ? seen : said === 'bearer' ? said : seen;
}

/** What was sent, with what is said of it, and then what was not needed. What only one of several calls of a path sends tells it from the others. */
function mergeFields(
  recorded: readonly Field[],
  described: readonly Field[],
  others: readonly ReadonlySet<string>[],
): Field[] {
  const said = new Map(described.map((field) => [field.pointer, field]));
  const seen = pointersOf(recorded);
  const isElsewhere = (pointer: string) => others.some((other) => other.has(pointer));
  const more = described.filter(({ pointer }) => !seen.has(pointer) && !isElsewhere(pointer));
  const isTelling = (pointer: string) => others.some((other) => !other.has(pointer));
  return [
    ...recorded.map((field) => {
      const merged = mergeField(field, said.get(field.pointer));
      return isTelling(field.pointer) ? { ...merged, isRequired: field.isRequired } : merged;
    }),
    ...more.map((field) => ({ ...field, isRequired: false })),
  ];
}

/** A filter can be left out, but where a description says that it can't. */
function requireSaid(merged: readonly Field[], described: readonly Field[]): Field[] {
  const required = new Set(described.filter(({ isRequired }) => isRequired).map(({ pointer }) => pointer));
  return merged.map((field) =>
    required.has(field.pointer) && isFilter(field.pointer) ? { ...field, isRequired: true } : field,
  );
}

function mergeField(seen: Field, said: Field | undefined): Field {
  if (!said) return seen;
  return {
    ...said,
    ...seen,
    texts: said.texts,
    types: seen.types.every((type) => type === 'null') ? said.types : seen.types,
    isRequired: seen.isRequired && said.isRequired,
    values: seen.values.length > 0 ? seen.values : said.values,
  };
}

/** Below a list that was empty, what is said of its items. */
function mergeAnswer({ status, body }: DescribedAnswer, { answers }: DescribedOperation): DescribedAnswer {
  const alike = answers.find((answer) => answer.status === status && answer.body) ?? answers[0];
  const described = alike?.body ?? [];
  if (!body) return { status, body: alike?.body };
  const said = new Map(described.map((field) => [field.pointer, field]));
  const seen = pointersOf(body);
  const empty = body.filter(
    ({ pointer, types }) => types.includes('array') && !seen.has(`${pointer}/*`) && said.has(pointer),
  );
  const items = empty.flatMap(({ pointer }) =>
    described.filter((field) => field.pointer.startsWith(`${pointer}/*`)),
  );
  return { status, body: [...body.map((field) => mergeField(field, said.get(field.pointer))), ...items] };
}
