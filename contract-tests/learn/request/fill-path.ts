// The path of an operation with the placeholders of a gap in it.

import { isOfAnother, resourceOfName, saysMore } from '../answer/find-identifier.ts';
import type { DescribedOperation, Field } from '../described-operation.ts';
import type { WantedOperation } from '../wanted-operations.ts';
import { findNamed } from '../words/find-named.ts';
import { namesOfPlaceholders } from '../words/names-of-values.ts';
import { readPath } from '../words/read-name.ts';
import type { Resource } from '../words/vocabulary.ts';
import { wordsOf } from '../words/words.ts';

/** The identifiers that placeholders stand for. */
export const identifiers: Readonly<Record<string, Resource>> = {
  siteID: 'site',
  contentID: 'content',
  keyID: 'key',
  subscriptionID: 'subscription',
  version: 'publication',
  form: 'form',
};

interface Filling {
  operation: DescribedOperation;
  wanted: WantedOperation;
  filled: Set<string>;
  problems: string[];
}

/** The path with the placeholders of the gap. */
export function fillPath({ operation, wanted, filled, problems }: Filling): string {
  const { placeholders = [] } = wanted.gap;
  let before = '';
  const segments = operation.path.split('/').map((segment) => {
    const text = segment.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
      const placeholder = placeholderOf(name, before, wanted);
      if (placeholder !== undefined && placeholders.includes(placeholder) && !filled.has(placeholder)) {
        filled.add(placeholder);
        return `{${placeholder}}`;
      }
      problems.push(`nothing is known for ${whole} in its path`);
      return whole;
    });
    before += `/${segment}`;
    return text;
  });
  // As gRPC has it: the name is "sites/42".
  if (/^\/\{(name|parent|resource)\b/.test(operation.path))
    problems.push('its path begins with the whole name of what it is about');
  return segments.join('/');
}

/** What a parameter of a path stands for: by its name, else by the part of the path before it. */
function placeholderOf(name: string, before: string, { gap, resource }: WantedOperation): string | undefined {
  const { placeholders = [] } = gap;
  const exact = placeholders.find((one) => one.toLowerCase() === name.toLowerCase());
  if (exact) return exact;
  if (placeholders.includes('form') && isNameOfForm(name, before)) return 'form';
  const about = resourceOfName(name);
  const byName = about && placeholderFor(about);
  if (byName) return saysMore(name) ? undefined : byName;
  if (isOfOthers(name, before)) return undefined;
  const field: Field = { pointer: `/${name}`, types: [], isRequired: true, texts: [], values: [] };
  const holder = readPath(before.replace(/\{[^{}]*\}/g, '{}'));
  const isPublication = resource === 'publication' && holder.verbs.includes('publish');
  const inPlace = placeholderFor(isPublication ? 'publication' : (holder.resource ?? resource));
  const isPlain = /^(.*[_-])?(u?u?id|pk|no|code|key|slug|name|number)$|Id$|ID$/i.test(name);
  if (isPlain && inPlace) return inPlace;
  return placeholders.find((one) => findNamed([field], namesOfPlaceholders[one] ?? []).length > 0) ?? inPlace;
}

/** Forms have names rather than identifiers. */
function isNameOfForm(name: string, before: string): boolean {
  const last = before.split('/').at(-1) ?? '';
  const isName = /^(form_?)?(id|slug|alias|name|key|code|handle|title)$/i.test(name);
  return isName && readPath(last).resource === 'form';
}

/** Whether it says whose, which ones, or by what else than an identifier: "DELETE /keys/{userId}" deletes no key. */
function isOfOthers(name: string, before: string): boolean {
  if (isOfAnother(name) || /^(slug|handle|alias|name|title|url|path|domain|host)$/i.test(name)) return true;
  const stems = wordsOf(name)
    .filter(({ concept }) => concept === undefined)
    .map(({ text }) => text);
  // "{nid}" may be of a neirong, and "{postRef}" of posts.
  const last = before.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';
  const [stem, ...more] = stems.filter((text) => text.length > 3 && !generic.test(text));
  return stem !== undefined && more.length === 0 && !last.toLowerCase().includes(stem);
}

const generic =
  /^(name|item|entity|object|document|resource|record|ident|ref|reference|param|value|uuid|guid|hash|hashid|public|external)$/;

function placeholderFor(resource: Resource): string | undefined {
  return Object.keys(identifiers).find((name) => identifiers[name] === resource);
}
