// The names that developers give to controllers, handlers and methods.
import type { ApiOperation } from './api-model.ts';
import { camel, pascal, plural, wordsIn } from './naming.ts';

/** "SitesController". */
export function controllerOf({ resource }: ApiOperation): string {
  return `${pascal(plural(resource))}Controller`;
}

/** What a method of a controller is called, where habits have names for the usual ones: "findAll". */
export function methodOf({ action }: ApiOperation, usual: Readonly<Record<string, string>>): string {
  return usual[action] ?? camel(action);
}

/** "createSite", "listSites"; an action that names its resource stays as it is. */
export function functionOf({ resource, action }: ApiOperation): string {
  const isNamed = wordsIn(resource).every((word) => wordsIn(action).includes(word));
  if (isNamed || ['auth', 'ai'].includes(resource)) return camel(action);
  return camel(`${action} ${action === 'list' ? plural(resource) : resource}`);
}

/** A name, with a number after it where it is taken; `join` writes both. */
export function freeName(
  name: string,
  taken: ReadonlySet<string>,
  join: (name: string, count: number) => string = (text, count) => `${text}${count}`,
): string {
  let free = name;
  for (let count = 1; taken.has(free); count++) free = join(name, count);
  return free;
}
