// Content items under a name that means other things elsewhere, "documents", "items" or "pages": where nothing else is content, and they have a title and a text.
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

/** By name, its forms in paths: "/site/page" lists sites by pages. */
const otherNames = { document: 'documents?', item: 'items?', page: 'pages' } as const;
type OtherName = keyof typeof otherNames;
/** What is written instead. */
const usual = 'article';

export function nameContent(operations: readonly DescribedOperation[]): NamedContent {
  const names = Object.keys(otherNames) as OtherName[];
  const written = isAnyContent(operations)
    ? []
    : names.filter((one) => operations.some((operation) => isWritten(operation, otherNames[one])));
  const [name, ...others] = written;
  if (name === undefined || others.length > 0)
    return { operations: [...operations], restore: (text) => text };
  return {
    operations: operations.map((operation) =>
      segmentOf(otherNames[name]).test(operation.path) ? rename(operation, name) : operation,
    ),
    restore: (text) => replaceWord(text, new RegExp(usual, 'gi'), name),
  };
}

/** Where the usual name stands anywhere, nobody could tell it from the one that was put in its place. */
function isAnyContent(operations: readonly DescribedOperation[]): boolean {
  const isContent = operations.some((operation) => isContentByPath(operation, operations));
  const write = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return isContent || JSON.stringify(operations, write).toLowerCase().includes(usual);
}

/** Entries that nobody writes with a title and a text are those of forms. */
function isContentByPath({ path }: DescribedOperation, all: readonly DescribedOperation[]): boolean {
  if (readPath(path).resource !== 'content') return false;
  const rest = path.replace(/\/entries(?=\/|$)/i, '');
  return readPath(rest).resource === 'content' || all.some((one) => isWritten(one, 'entries'));
}

function segmentOf(forms: string): RegExp {
  return new RegExp(`/${forms}(/|$)`, 'i');
}

/** Whether something of that name is sent with a title and a text. */
function isWritten({ method, path, body = [] }: DescribedOperation, forms: string): boolean {
  const has = (what: string) => findByName(body, namesOfPlaceholders[what] ?? []).length > 0;
  return /^P/.test(method) && segmentOf(forms).test(path) && has('title') && has('text');
}

function rename(operation: DescribedOperation, name: OtherName): DescribedOperation {
  const words = name === 'page' ? wordPage : new RegExp(name, 'gi');
  const inText = (text: string) => replaceWord(text, words, usual);
  const inPath = (path: string) =>
    path.replace(new RegExp(`/${otherNames[name]}(?=/|$)|\\{${name}(?=_?id\\})`, 'gi'), (whole) =>
      replaceWord(whole, new RegExp(name, 'i'), usual),
    );
  const inPointer = (pointer: string) =>
    pointer.replace(new RegExp(`/${name}(?=_?id(/|$))`, 'gi'), (whole) =>
      replaceWord(whole, new RegExp(name, 'i'), usual),
    );
  const inFields = (fields: readonly Field[]) =>
    fields.map((field) => ({ ...field, pointer: inPointer(field.pointer) }));
  const { path, id, texts, tags, parameters, query, body, answers, seen } = operation;
  return {
    ...operation,
    path: inPath(path),
    ...(id !== undefined && { id: inText(id) }),
    texts: texts.map(inText),
    tags: tags.map(inText),
    parameters: inFields(parameters),
    query: inFields(query),
    body: body && inFields(body),
    answers: answers.map(({ status, body: fields }) => ({ status, body: fields && inFields(fields) })),
    ...(seen && {
      seen: {
        ...seen,
        repeated: Object.fromEntries(
          Object.entries(seen.repeated).map(([one, pointers]) => [
            inPointer(`/${one}`).slice(1),
            pointers.map(inPointer),
          ]),
        ),
        links: seen.links.map(({ pointer, usedBy }) => ({
          pointer: inPointer(pointer),
          usedBy: { ...usedBy, path: inPath(usedBy.path), pointer: inPointer(usedBy.pointer) },
        })),
      },
    }),
  };
}

/** The word in texts and in names such as "createPage"; neither "page size" nor "per page". */
const wordPage =
  /(?<!\b(?:per|by|each|next|first|last)[ _-])(?:(?<![A-Za-z])[Pp]age|(?<=[a-z])Page)(?=s?(?![a-z]))(?![ _-]?(?:[Nn]um|[Nn]o\b|[Ss]ize|[Ii]ndex|[Cc]ount|[Tt]oken|[Ll]imit|[Bb]y\b))/g;

/** In small letters or capitalized, as it stands there. */
function replaceWord(text: string, from: RegExp, to: string): string {
  return text.replace(from, (found) => {
    const capital = to.charAt(0).toUpperCase() + to.slice(1);
    return found === found.toUpperCase() ? to.toUpperCase() : /^[A-Z]/.test(found) ? capital : to;
  });
}
