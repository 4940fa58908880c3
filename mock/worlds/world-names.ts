// A request names its world in the path, as /w/NAME, or in the header X-Sitepub-World; otherwise it is for main.
import type { IncomingHttpHeaders } from 'node:http';
import { decodeLeniently } from '../../openapi/template.ts';
import { ControlError, quote } from '../control/control-error.ts';
import { mainWorld } from '../world/world.ts';

export const nameRule =
  'a name has 1 to 63 ASCII letters, digits, hyphens, dots and underscores, and starts with a letter or a digit';

/** Allows only characters that paths and file systems leave unchanged. */
export function isWorldName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text);
}

export function prefixOf(name: string): string {
  return name === mainWorld ? '' : `/w/${name}`;
}

/** `url` is relative to the world. `problem` says why the choice is ambiguous. */
export interface Choice {
  name: string;
  url: string;
  problem?: string;
}

/** Undefined if the request names no world. */
export function chooseWorld(url: string, headers: IncomingHttpHeaders): Choice | undefined {
  // The header is for gateways that can't change paths.
  const { 'x-sitepub-world': header } = headers;
  // Nearly all requests return here.
  if (header === undefined && url.startsWith('/api/')) return undefined;
  const [, origin = '', name, rest = ''] = placeForm.exec(url) ?? [];
  const named = header === undefined ? undefined : String(header).trim();
  if (name === undefined) return named === undefined ? undefined : { name: named, url };
  const inPath = decodeLeniently(name);
  const local = { name: inPath, url: `${origin}${rest.startsWith('/') ? '' : '/'}${rest}` };
  if (named === undefined || named === inPath) return local;
  const problem = `the path names the world ${quote(inPath)} and the header X-Sitepub-World names ${quote(named)}; send only one of them`;
  return { ...local, problem };
}

/** A request line may have an absolute URL, whose origin is preserved for later checks. */
const placeForm = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?\/w\/([^/?#]*)(.*)$/is;

export function refuseTaken(name: string): ControlError {
  return new ControlError(
    409,
    `the world ${quote(name)} already exists; choose another name, or end it with DELETE /_mock/worlds/${name}`,
  );
}

export function refuseEnding(): ControlError {
  return new ControlError(409, 'POST /_mock/worlds: the mock is shutting down');
}

/** `full` begins the sentence, such as "there are 100". */
export function refuseFull(full: string): ControlError {
  return new ControlError(
    409,
    `${full} worlds already; end one with DELETE /_mock/worlds/NAME, or create worlds that expire ("expires_in")`,
  );
}
