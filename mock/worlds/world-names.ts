// The names of worlds: which one a request is for, and what a name is like. A request names one in its path, under /w/NAME, or in a header; otherwise it is for main.
import type { IncomingHttpHeaders } from 'node:http';
import { ControlError } from '../control/control-error.ts';
import { mainWorld } from '../world/world.ts';

export const nameRule =
  'a name has 1 to 63 letters of ASCII, digits, hyphens, dots and underscores, of which the first is a letter or a digit';

/** What every path and every system leaves as it is. */
export function isWorldName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text);
}

/** What stands before the paths of a world: main has the root. */
export function prefixOf(name: string): string {
  return name === mainWorld ? '' : `/w/${name}`;
}

/** A world that a request names, and its address in that world; or why it can't be told which one is meant. */
export interface Choice {
  name: string;
  url: string;
  problem?: string;
}

/** Undefined for a request that names no world. */
export function chooseWorld(url: string, headers: IncomingHttpHeaders): Choice | undefined {
  // For gateways that can't change paths.
  const { 'x-sitepub-world': header } = headers;
  // What nearly all requests are.
  if (header === undefined && url.startsWith('/api/')) return undefined;
  const [, origin = '', name, rest = ''] = placeForm.exec(url) ?? [];
  const named = header === undefined ? undefined : String(header).trim();
  if (name === undefined) return named === undefined ? undefined : { name: named, url };
  const inPath = decode(name);
  const local = { name: inPath, url: `${origin}${rest.startsWith('/') ? '' : '/'}${rest}` };
  if (named === undefined || named === inPath) return local;
  const problem = `the path names the world ${quote(inPath)} and the header X-Sitepub-World names ${quote(named)}; send one of them`;
  return { ...local, problem };
}

/** An address in the request line may have an origin, which guards look at. */
const placeForm = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?\/w\/([^/?#]*)(.*)$/is;

/** A segment of a path; as it is where it is malformed. */
export function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A name as messages repeat it. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name);
}

export function refuseTaken(name: string): ControlError {
  return new ControlError(
    409,
    `there is a world ${quote(name)} already; choose another name, or end it with DELETE /_mock/worlds/${name}`,
  );
}

/** `full` says what is full. */
export function refuseFull(full: string): ControlError {
  return new ControlError(
    409,
    `${full} worlds already; end one with DELETE /_mock/worlds/NAME, and let others expire ("expires_in")`,
  );
}
