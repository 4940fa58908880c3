// The files that commands write: refused before any work is done, and written completely or not at all.
import { accessSync, constants, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Given } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';

/** The file of `--out`; undefined for the screen. Throws UsageError when it can't be written. */
export function readOut(given: Given): string | undefined {
  const out = given.text('out');
  if (out !== undefined) requireWritable('--out', out);
  return out;
}

/** Throws UsageError when a flag names a file that can't be written. */
export function requireWritable(flag: string, path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw new UsageError(`${flag}: ${path} is a folder; give the path of a file`);
  if (there && !there.isFile()) return;
  const folder = dirname(resolve(path));
  try {
    // The slash refuses a file in the place of the folder.
    accessSync(`${folder}/`, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`${flag}: the folder ${folder} can't be written (${code}); create it first`);
  }
}

/** Writes to a file, or without one to the screen. */
export function writeOutput(path: string | undefined, text: string): void {
  if (path === undefined) process.stdout.write(text);
  else writeWhole(path, text);
}

/** Completely or not at all, but for what is no file: a device such as /dev/stdout, or a pipe, must not be replaced. */
export function writeWhole(path: string, text: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  const isFile = !there || there.isFile();
  const draft = isFile ? `${path}.${process.pid}.part` : path;
  writeFileSync(draft, text);
  if (isFile) renameSync(draft, there ? realpathSync(path) : path);
}
