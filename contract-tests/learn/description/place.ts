import { isObject, type Json } from '../../../openapi/json.ts';
import { listOf, objectOf, shortText, textOf } from '../fields.ts';

/** `server`: path of the server, such as "/api/v1" or "". `key`: key under "paths". */
export interface Address {
  server: string;
  key: string;
}

/** Path of the best matching server. `holders`: the operation and its path item. */
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

/** "" for a text that is not a URL, because it may contain credentials. */
function pathOf(address: string): string {
  const isAddress = /^\s*(https?:|\/)/i.test(address);
  return (isAddress ? URL.parse(address, 'http://h')?.pathname : '')?.replace(/\/+$/, '') ?? '';
}

/** Index after the base path in an address, if it contains it. A gateway may put its own path before. */
export function endOfBase({ server, key }: Address, basePath: string): number | undefined {
  const address = server + key;
  const at = basePath === '' ? 0 : address.lastIndexOf(`${basePath}/`);
  return at < 0 || address.slice(0, at).includes('{') ? undefined : at + basePath.length;
}

/** The path below the base URL, with a doubt if the server does not match. */
export function placeBelow({ server, key }: Address, basePath: string): { path: string; doubts: string[] } {
  const end = endOfBase({ server, key }, basePath);
  if (end !== undefined) return { path: (server + key).slice(end), doubts: [] };
  // A gateway may add a part of the base path that is not in the description: "/v1/sites" for "/api/v1/sites".
  const parts = [...basePath.matchAll(/\//g)].map(({ index }) => `${basePath.slice(index)}/`);
  for (const text of [server + key, key])
    for (const part of parts)
      if (text.startsWith(part)) return { path: text.slice(part.length - 1), doubts: [] };
  const elsewhere = 'the base URL does not end in the path of its server';
  return { path: key, doubts: server === '' ? [] : [elsewhere] };
}

/** A path as a key in JSON or YAML; it may contain a colon: "/sites/{id}:publish". */
const pathKey = /^\s*["']?(\/[^"'\s]*?)["']?\s*:(?=\s|$)/;

/** The line of each path; empty for minified text. */
export function findLines(text: string): ReadonlyMap<string, number> {
  const lines = text
    .split('\n')
    .map((line, index) => [pathKey.exec(line.slice(0, 1_100))?.[1] ?? '', index + 1] as const);
  return new Map(lines.length < 5 ? [] : lines.toReversed());
}
