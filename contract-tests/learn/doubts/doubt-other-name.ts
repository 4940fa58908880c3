// What is created under "sites" is hardly deleted under "projects".
import type { Resource } from '../words/vocabulary.ts';
import { wordsOf } from '../words/words.ts';

/** The gaps that show what a thing is called in paths. */
const creators: Partial<Record<Resource, readonly string[]>> = {
  site: ['create-site', 'list-sites'],
  content: ['create-content', 'list-contents'],
  key: ['create-key', 'list-keys'],
};

/** Why the path of an operation may be about something else; undefined where it may not. `pathOf`: the path that was chosen for a gap, by its name. */
export function sayOtherName(
  path: string,
  resource: Resource,
  pathOf: (name: string) => string | undefined,
): string | undefined {
  const creator = (creators[resource] ?? []).map(pathOf).find((one) => one !== undefined) ?? '';
  const [own, others] = [nounsIn(path, resource), nounsIn(creator, resource)];
  if (own.length === 0 || others.length === 0 || own.some((noun) => others.includes(noun))) return undefined;
  return `its path says "${own[0]}", and what creates one says "${others[0]}"`;
}

/** The words of a path that name the resource, in the singular. */
function nounsIn(path: string, resource: Resource): string[] {
  const words = path
    .replace(/\{[^}]*\}/g, ' ')
    .split('/')
    .flatMap(wordsOf);
  const nouns = words.filter(
    ({ concept }) => concept === resource || (resource === 'key' && concept === 'token'),
  );
  return nouns.map(({ text }) => text.replace(/ies$/, 'y').replace(/s$/, ''));
}
