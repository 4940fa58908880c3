// Which part of a described address is the base address, and which the path below it.
import { isObject, type Json } from '../../../openapi/json.ts';
import { listOf } from './schema-fields.ts';

/** The path that a description puts before its own paths: "/api/v1", or "". */
export function serverPath(root: Json, holders: readonly Json[], basePath: string | undefined): string {
  if (typeof root.swagger === 'string') return trimmed(String(root.basePath ?? ''));
  const stated = [...holders, root].map(({ servers }) => listOf(servers)).find((all) => all.length > 0) ?? [];
  const paths = stated.filter(isObject).slice(0, 20).map(pathOfServer);
  const ending = basePath === undefined ? versionEnd : basePath;
  return (
    paths.find((path) => path !== '' && ending.endsWith(path)) ??
    paths.find((path) => path.endsWith(ending)) ??
    paths[0] ??
    ''
  );
}

const versionEnd = '/api/v1';

function pathOfServer({ url, variables }: Json): string {
  const text = String(url ?? '').slice(0, 2_000);
  const filled = text.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isObject(variable) && variable.default !== undefined ? String(variable.default) : whole;
  });
  return trimmed(filled.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*|^\/\/[^/]*/i, '').replace(/[?#].*$/s, ''));
}

function trimmed(path: string): string {
  const text = path.replace(/\/+$/, '');
  return text === '' || text.startsWith('/') ? text : `/${text}`;
}

/** The path of a base address ("/api/v1") in addresses of this description; undefined where nothing shows it. */
export function findBasePath(addresses: readonly string[]): string | undefined {
  const found = addresses.flatMap((path) => /^(?:\/[^/{}]+){0,6}?\/api\/v1(?=\/|$)/.exec(path)?.[0] ?? []);
  const counts = Map.groupBy(found, (path) => path);
  const [most] = [...counts].sort(([, one], [, other]) => other.length - one.length);
  return most?.[0];
}

/** An address of a description: the path of its server, and the one that stands under "paths". */
export interface Address {
  server: string;
  key: string;
}

/** The path of an address below the base. Where a server has another one, the base may lead to it, or not: `elsewhere` says so. */
export function placeBelow({ server, key }: Address, basePath: string): { path: string; elsewhere?: string } {
  const path = belowBase(server + key, basePath);
  const isOther = server !== '' && basePath !== '' && path === server + key;
  if (!isOther) return { path };
  const below = belowBase(key, basePath);
  // What comes before the base is that of a gateway.
  if (below !== key || server.endsWith(basePath)) return { path: below };
  const elsewhere = `it is described below ${server}, and the base address ends in ${basePath}`;
  return { path: below, elsewhere };
}

/**
 * The path below the base address. Where a gateway adds a part of the base path, the description may lack its beginning: "/v1/sites"
 * for "/api/v1/sites".
 */
function belowBase(address: string, basePath: string): string {
  let path = address;
  while (startsWith(path, basePath)) path = path.slice(basePath.length);
  if (path !== address) return path;
  const segments = basePath.split('/').slice(1);
  for (const index of segments.keys()) {
    const end = `/${segments.slice(index).join('/')}`;
    if (startsWith(path, end)) return path.slice(end.length);
  }
  return path;
}

/** Whether an address can be below the base: of two versions or services in one description, one is not. */
export function startsWith(path: string, beginning: string): boolean {
  return beginning !== '' && (path === beginning || path.startsWith(`${beginning}/`));
}
