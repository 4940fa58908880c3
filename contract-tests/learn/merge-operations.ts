// Joins what a description says of an operation and what its recorded calls have shown, so that one operation is no rival of itself.
import type { DescribedAnswer, DescribedOperation, Field } from './described-operation.ts';

/** Recorded operations with what descriptions say of them; those of descriptions that no call has shown stay as they are. */
export function mergeOperations(operations: readonly DescribedOperation[]): DescribedOperation[] {
  const described = operations.filter(({ seen }) => !seen);
  const recorded = operations.filter(({ seen }) => seen);
  if (described.length === 0 || recorded.length === 0) return [...operations];
  const pairs = recorded.map((one) => ({ one, same: findDescribed(one, described) }));
  const taken = new Set(pairs.map(({ same }) => same));
  return [
    ...described.filter((one) => !taken.has(one)),
    ...pairs.map(({ one, same }) => {
      if (!same) return one;
      const siblings = pairs.filter((other) => other.one !== one && isSameCall(other.one, one));
      const isShared = described.some((other) => other !== same && isSameCall(other, same));
      return merge(one, same, { siblings: siblings.map((sibling) => sibling.one), isShared });
    }),
  ];
}

function isSameCall(one: DescribedOperation, other: DescribedOperation): boolean {
  return one.method === other.method && bare(one.path) === bare(other.path);
}

/** The one of the same method and path whose body is the likeliest. */
function findDescribed(
  recorded: DescribedOperation,
  described: readonly DescribedOperation[],
): DescribedOperation | undefined {
  const same = described.filter((one) => one.method === recorded.method && fits(recorded.path, one.path));
  const missing = ({ body = [] }: DescribedOperation) => {
    const [sent, said] = [pointersOf(recorded.body), pointersOf(body)];
    const required = body.filter(({ isRequired }) => isRequired);
    return (
      [...sent].filter((pointer) => !said.has(pointer)).length +
      required.filter(({ pointer }) => !sent.has(pointer)).length
    );
  };
  const isLiteral = ({ path }: DescribedOperation) => (bare(path) === bare(recorded.path) ? 0 : 1);
  return same.sort((one, other) => isLiteral(one) - isLiteral(other) || missing(one) - missing(other))[0];
}

/** Whether a recorded path is that of a description; what looked like a word may be a parameter. */
function fits(recorded: string, described: string): boolean {
  const [seen, said] = [bare(recorded).split('/'), bare(described).split('/')];
  return (
    seen.length === said.length && seen.every((part, index) => part === said[index] || said[index] === '{}')
  );
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
  const { id, texts, isDeprecated, path, parameters, auth } = described;
  const others = (where: 'query' | 'body') => siblings.map((one) => pointersOf(one[where]));
  const body = recorded.body && mergeFields(recorded.body, described.body ?? [], others('body'));
  return {
    ...recorded,
    path: recorded.path.endsWith('/') ? `${path.replace(/\/$/, '')}/` : path.replace(/(?<=.)\/$/, ''),
    parameters,
    auth: mergeAuth(recorded.auth, auth),
    query: mergeFields(recorded.query, described.query, others('query')),
    body,
    answers: recorded.answers.map((answer) => mergeAnswer(answer, described)),
    // The words of a call that does several things are about one of them.
    ...(siblings.length === 0 && !isShared && { texts, ...(id !== undefined && { id }) }),
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
