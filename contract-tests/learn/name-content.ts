// Content items under a name that means other things elsewhere, "documents" or "items": where nothing else is content, and they have a title and a text.
import type { DescribedOperation, Field } from './described-operation.ts';
import { findByName } from './words/find-named.ts';
import { namesOfPlaceholders } from './words/names-of-values.ts';
import { readPath } from './words/read-name.ts';

export interface NamedContent {
  /** The same operations, with a usual name of content in the place of the other. */
  operations: DescribedOperation[];
  /** A text about them, with the name that the deployment has. */
  restore(text: string): string;
}

const otherNames = ['document', 'item'] as const;
/** What is written instead. */
const usual = 'article';

export function nameContent(operations: readonly DescribedOperation[]): NamedContent {
  const name = isAnyContent(operations)
    ? undefined
    : otherNames.find((one) => operations.some((operation) => isWritten(operation, one)));
  if (name === undefined) return { operations: [...operations], restore: (text) => text };
  return {
    operations: operations.map((operation) =>
      segmentOf(name).test(operation.path) ? rename(operation, name) : operation,
    ),
    restore: (text) => replaceWord(text, usual, name),
  };
}

/** Where the usual name stands anywhere, nobody could tell it from the one that was put in its place. */
function isAnyContent(operations: readonly DescribedOperation[]): boolean {
  const isContent = operations.some(({ path }) => readPath(path).resource === 'content');
  const write = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return isContent || JSON.stringify(operations, write).toLowerCase().includes(usual);
}

function segmentOf(name: string): RegExp {
  return new RegExp(`/${name}s?(/|$)`, 'i');
}

/** Whether something of that name is sent with a title and a text. */
function isWritten({ method, path, body = [] }: DescribedOperation, name: string): boolean {
  const has = (what: string) => findByName(body, namesOfPlaceholders[what] ?? []).length > 0;
  return /^P/.test(method) && segmentOf(name).test(path) && has('title') && has('text');
}

function rename(operation: DescribedOperation, name: string): DescribedOperation {
  const inText = (text: string) => replaceWord(text, name, usual);
  const inPath = (path: string) =>
    path.replace(new RegExp(`(/|\\{)${name}(?=s?(/|$)|_?id\\})`, 'gi'), (whole) => inText(whole));
  const inPointer = (pointer: string) =>
    pointer.replace(new RegExp(`/${name}(?=_?id(/|$))`, 'gi'), (whole) => inText(whole));
  const inFields = (fields: readonly Field[]) =>
    fields.map((field) => ({ ...field, pointer: inPointer(field.pointer) }));
  const { path, id, texts, parameters, query, body, answers, seen } = operation;
  return {
    ...operation,
    path: inPath(path),
    ...(id !== undefined && { id: inText(id) }),
    texts: texts.map(inText),
    parameters: inFields(parameters),
    query: inFields(query),
    body: body && inFields(body),
    answers: answers.map(({ status, body: fields }) => ({ status, body: fields && inFields(fields) })),
    ...(seen && {
      seen: {
        ...seen,
        links: seen.links.map(({ pointer, usedBy }) => ({
          pointer: inPointer(pointer),
          usedBy: { ...usedBy, path: inPath(usedBy.path), pointer: inPointer(usedBy.pointer) },
        })),
      },
    }),
  };
}

/** In small letters or capitalized, as it stands there. */
function replaceWord(text: string, from: string, to: string): string {
  return text.replace(new RegExp(from, 'gi'), (found) => {
    const capital = to.charAt(0).toUpperCase() + to.slice(1);
    return found === found.toUpperCase() ? to.toUpperCase() : /^[A-Z]/.test(found) ? capital : to;
  });
}
