import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { UsageError } from '../options/usage-error.ts';

/** A file within a folder, as its real path. Throws UsageError where there is none, or where it lies elsewhere, links followed. */
export function fileInside(folder: string, path: string, mostBytes: number): string {
  const [base, file] = [realpathSync(folder), realPathOf(resolve(folder, path))];
  const way = file === undefined ? undefined : relative(base, file);
  // Said alike, so that nobody can ask what there is elsewhere.
  if (
    file === undefined ||
    way === undefined ||
    way === '..' ||
    way.startsWith(`..${sep}`) ||
    isAbsolute(way)
  )
    throw new UsageError(
      `there is no file "${path}" in the working directory; only what lies in it is read, so give a path within it`,
    );
  const { size, isFile } = describe(file);
  if (!isFile) throw new UsageError(`"${path}" is no file; give the path of one`);
  if (size > mostBytes)
    throw new UsageError(
      `"${path}" is longer than ${Math.floor(mostBytes / 1_048_576)} MB; give a smaller file`,
    );
  return file;
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function describe(file: string): { size: number; isFile: boolean } {
  const found = statSync(file);
  return { size: found.size, isFile: found.isFile() };
}
