// Where a path leads: only regular files are ever replaced, never a link, a device, a pipe or what is open already.
import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export type Place =
  /** The process has it open, as with /dev/stdout. */
  | { kind: 'open'; descriptor: number }
  | { kind: 'device'; path: string }
  | { kind: 'folder'; path: string }
  /** `there` is missing where there is no file yet. */
  | { kind: 'file'; path: string; there?: Stats };

const mostLinks = 40;

/** Follows links to their end, those that lead nowhere too. Throws an error of the system. */
export function placeOf(path: string): Place {
  let at = resolve(path);
  for (let links = 0; links <= mostLinks; links++) {
    const folder = realpathSync(dirname(at));
    at = join(folder, basename(at));
    const process = descriptorIn(folder);
    if (process !== undefined) return openPlace(at, process);
    const there = lstatSync(at, { throwIfNoEntry: false });
    if (!there?.isSymbolicLink()) return placeAt(at, there, /[\\/]$/.test(path));
    at = resolve(folder, readlinkSync(at));
  }
  throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
}

function placeAt(path: string, there: Stats | undefined, isNamedAsFolder: boolean): Place {
  if (there ? there.isDirectory() : isNamedAsFolder) return { kind: 'folder', path };
  if (!there) return { kind: 'file', path };
  return there.isFile() ? { kind: 'file', path, there } : { kind: 'device', path };
}

/** The process whose open files a folder lists; undefined for other folders. */
function descriptorIn(folder: string): number | undefined {
  if (folder === '/dev/fd') return process.pid;
  const [, pid] = /^\/proc\/(\d+)(?:\/task\/\d+)?\/fd$/.exec(folder) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

function openPlace(path: string, pid: number): Place {
  const number = Number(basename(path));
  return pid === process.pid && Number.isSafeInteger(number)
    ? { kind: 'open', descriptor: number }
    : { kind: 'device', path };
}
