// Where a described operation is: its path below the base address, and its line in the description.
import { isObject, type Json } from '../../../openapi/json.ts';
import { listOf, objectOf, shortText, textOf } from '../fields.ts';

/** An address in a description: the path of its server, such as "/api/v1" or "", and its key under "paths". */
export interface Address {
  server: string;
  key: string;
}

/** The path of the server that fits the base path best. `holders` are an operation and its path item. */
export function serverPath(root: Json, holders: readonly Json[], basePath: string): string {
  if (root.swagger !== undefined) return pathOf(shortText(root.basePath));
  const stated = [...holders, root].map(({ servers }) => listOf(servers)).find((all) => all.length > 0) ?? [];
  const paths = stated.filter(isObject).slice(0, 20).map(pathOfServer);
  const isPart = (path: string) => path !== '' && basePath.endsWith(path);
  return paths.find((path) => path.endsWith(basePath)) ?? paths.find(isPart) ?? paths[0] ?? '';
}

function pathOfServer({ url, variables }: Json): string {
  const defaultOf = (name: string) => textOf(objectOf(objectOf(variables)[name]).default);
  return pathOf(shortText(url).replace(/\{([^{}]*)\}/g, (whole, name) => defaultOf(name) || whole));
}

/** The path of an address, which may lack all before it. What is no address may hold credentials. */
function pathOf(address: string): string {
  const isAddress = /^\s*(https?:|\/)/i.test(address);
  return (isAddress ? URL.parse(address, 'http://h')?.pathname : '')?.replace(/\/+$/, '') ?? '';
}

/** Where the base path ends in an address; undefined if it is not in it. A gateway may put its own path before the base. */
export function endOfBase({ server, key }: Address, basePath: string): number | undefined {
  const address = server + key;
  const at = basePath === '' ? 0 : address.lastIndexOf(`${basePath}/`);
  return at < 0 || address.slice(0, at).includes('{') ? undefined : at + basePath.length;
}

/** The path below the base address, and why the base may not lead to it. */
export function placeBelow({ server, key }: Address, basePath: string): { path: string; doubts: string[] } {
  const end = endOfBase({ server, key }, basePath);
  if (end !== undefined) return { path: (server + key).slice(end), doubts: [] };
  // A gateway may also add a part of the base, so that the description lacks it: "/v1/sites" for "/api/v1/sites".
  const parts = [...basePath.matchAll(/\//g)].map(({ index }) => `${basePath.slice(index)}/`);
  for (const text of [server + key, key])
    for (const part of parts)
      if (text.startsWith(part)) return { path: text.slice(part.length - 1), doubts: [] };
  const elsewhere = 'its server has a path that is not how the base address ends';
  return { path: key, doubts: server === '' ? [] : [elsewhere] };
}

/** A path as a key of JSON or YAML. It may have a colon itself: "/sites/{id}:publish". */
const pathKey = /^\s*["']?(\/[^"'\s]*?)["']?\s*:(?=\s|$)/;

/** The line of each path in a description; empty if it has a few long lines alone. */
export function findLines(text: string): ReadonlyMap<string, number> {
  const lines = text
    .split('\n')
    .map((line, index) => [pathKey.exec(line.slice(0, 1_100))?.[1] ?? '', index + 1] as const);
  return new Map(lines.length < 5 ? [] : lines.toReversed());
}
