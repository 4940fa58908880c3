// Of several identifiers in an answer, the one that paths take: beside a number that a row has, a site may have a slug or a UUID.
import { parentOf } from '../../../openapi/json-pointer.ts';
import { answerFields, type DescribedOperation, type Field, nameOf } from '../described-operation.ts';
import type { Match } from '../match-operation.ts';
import { identifiers } from '../request/fill-path.ts';
import type { Resource } from '../words/vocabulary.ts';
import { wordsOf } from '../words/words.ts';

/** The parameter of paths that stands for a resource, or that may do so, "{slug}", in most of the matches that are about it, else in most of all. */
export function parameterOf(resource: Resource, matches: readonly Match[]): Field | undefined {
  const own = matches.filter(({ wanted }) => wanted.resource === resource);
  return mostUsed(resource, own) ?? mostUsed(resource, matches);
}

function mostUsed(resource: Resource, matches: readonly Match[]): Field | undefined {
  const placeholder = Object.keys(identifiers).find((name) => identifiers[name] === resource);
  const found = matches.flatMap(({ value, known: { operation } }) => {
    const [stated = [], described] = [String(value.path), operation.path].map((path) => path.split('/'));
    const index = stated.findIndex(
      (segment, at) =>
        segment === `{${placeholder}}` ||
        (/^\{(slug|handle|alias)\}$/i.test(segment) && isNounOf(resource, stated[at - 1] ?? '')),
    );
    const name = described?.[index]?.slice(1, -1);
    return operation.parameters.filter(({ pointer }) => pointer === `/${name}`);
  });
  const [most] = [...Map.groupBy(found, nameOf).values()].sort((one, other) => other.length - one.length);
  return most?.[0];
}

function isNounOf(resource: Resource, segment: string): boolean {
  return wordsOf(segment).some(({ concept }) => concept === resource);
}

/** The pointer that such a parameter takes the value of, in the place of this one; undefined where nobody can tell which of several it is. `start`: of items, that of the list with `/*`. */
export function pointerFor(
  parameter: Field | undefined,
  pointer: string,
  operation: DescribedOperation,
  start = '',
): string | undefined {
  const fields = answerFields(operation);
  const own = fields.find((field) => field.pointer === start + pointer);
  if (!parameter || !own) return pointer;
  const holder = parentOf(own.pointer);
  const beside = fields.filter((field) => field !== own && parentOf(field.pointer) === holder);
  const namesake = isCalledAs(parameter, own)
    ? undefined
    : beside.find((field) => isCalledAs(parameter, field) && mayBeSent(parameter, field));
  if (namesake) return namesake.pointer.slice(start.length);
  const others = beside.filter((field) => otherNames.test(nameOf(field)) && isFitting(parameter, field));
  const named = others.filter((field) => says(parameter, field));
  if (named.length === 1 && !says(parameter, own)) return named[0]?.pointer.slice(start.length);
  if (isFitting(parameter, own) || others.length === 0) return pointer;
  return others.length === 1 ? others[0]?.pointer.slice(start.length) : undefined;
}

/** What else identifies something. */
const otherNames =
  /(^|[_a-z])(uuid|guid|slug|handle|key|code|uid|number|no|public_?id|external_?id|hash_?id)$/i;

function isFitting({ types, format }: Field, field: Field): boolean {
  if (format === 'uuid' && field.format !== undefined && field.format !== 'uuid') return false;
  return types.length === 0 || field.types.length === 0 || types.some((type) => field.types.includes(type));
}

function isCalledAs(parameter: Field, field: Field): boolean {
  return nameOf(parameter).toLowerCase() === nameOf(field).toLowerCase();
}

/** A number is sent as text in a path, and many describe it so. */
function mayBeSent(parameter: Field, field: Field): boolean {
  const isPlainText = parameter.types.includes('string') && parameter.format === undefined;
  return isFitting(parameter, field) || (isPlainText && field.types.includes('integer'));
}

/** Whether a parameter is called as a field, or is said to be it: "{key}", "{site_slug}", "The site uuid". */
function says(parameter: Field, field: Field): boolean {
  if (isCalledAs(parameter, field)) return true;
  const words = [nameOf(parameter), parameter.texts[0]?.slice(0, 60) ?? ''].flatMap((text) => wordsOf(text));
  const [last] = wordsOf(nameOf(field)).slice(-1);
  return last !== undefined && kinds.test(last.text) && words.some(({ text }) => text === last.text);
}

const kinds = /^(uuid|guid|slug|handle)$/;
