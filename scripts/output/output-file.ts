// The files that commands write: refused before any work is done, and written completely or not at all.
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { plainWord } from '../../contract-tests/core/shell-word.ts';
import { visible } from '../../contract-tests/core/visible-text.ts';
import type { Given } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';
import { sayError } from '../screen/guard-output.ts';
import { type Place, placeOf } from './output-place.ts';

/** A file that can't be written. The message names it, and says why. */
export class OutputError extends Error {}

/** The file of `--out`; undefined for the screen. Throws UsageError when it can't be written, or is one of those that commands read for keys. */
export function readOut(given: Given): string | undefined {
  const out = given.text('out');
  if (out === undefined) return undefined;
  for (const flag of keyFlags) {
    const file = given.text(flag);
    if (file !== undefined && isSameFile(file, out))
      throw new UsageError(`--out ${visible(out)} is the file of --${flag}; name another one`);
  }
  requireWritable('--out', out);
  return out;
}

const keyFlags = ['ca', 'cert', 'key'];

/** The same for a file that is not to be there, unless `--force` is given: checked before any work, so that none is in vain. `inputs`: files that are read, and must not be lost. */
export function readNewOut(given: Given, inputs: readonly string[]): string | undefined {
  const out = readOut(given);
  const input = inputs.find((one) => out !== undefined && isSameFile(one, out));
  if (input !== undefined)
    throw new UsageError(
      `--out ${visible(`${out}`)} is what is read; name another file, so that it is not lost`,
    );
  if (out !== undefined && existsSync(out) && !given.switched('force'))
    throw new UsageError(`--out ${out} exists already; name another file, or replace it with --force`);
  return out;
}

/** The variable, such as SITEPUB_PASSWORD_FILE, that names this file. */
function secretIn(path: string): string | undefined {
  const variables = Object.entries(process.env).filter(([name]) => /^SITEPUB_\w+_FILE$/.test(name));
  return variables.find(([, file = '']) => file !== '' && isSameFile(file, path))?.[0];
}

function isSameFile(one: string, other: string): boolean {
  try {
    const [first, second] = [one, other].map((path) => statSync(path, { bigint: true }));
    return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
  } catch {
    return false;
  }
}

/** Throws UsageError when a flag names a file that can't be written, or one that holds a secret. Nothing is left that was not there. */
export function requireWritable(flag: string, path: string): void {
  const variable = secretIn(path);
  if (variable !== undefined)
    throw new UsageError(`${flag}: ${visible(path)} is the file that ${variable} names; name another one`);
  const refuse = (what: string, error: unknown, advice: string) =>
    new UsageError(`${flag}: ${what} can't be written (${(error as NodeJS.ErrnoException).code}); ${advice}`);
  const place = tryTo(
    () => placeOf(path),
    (error) =>
      isOfFolder(error)
        ? refuse(`the folder ${visible(dirname(resolve(path)))}`, error, 'create it first')
        : refuse(visible(path), error, 'give another path'),
  );
  if (place.kind === 'folder')
    throw new UsageError(`${flag}: ${visible(path)} is a folder; give the path of a file`);
  tryTo(
    () => probe(place),
    (error) =>
      place.kind === 'file' && !place.there && (error as NodeJS.ErrnoException).code !== 'ENAMETOOLONG'
        ? refuse(`the folder ${visible(dirname(place.path))}`, error, 'give another path')
        : refuse(visible(path), error, 'give another path'),
  );
}

/** Throws UsageError where a journal can't be written, or another run would be mixed with what it lists. */
export function requireNewJournal(path: string | undefined, out?: string): void {
  if (path === undefined) return;
  requireWritable('--journal', path);
  if (out !== undefined && (isSameFile(path, out) || isDeepStrictEqual(placeOf(path), placeOf(out))))
    throw new UsageError(`--journal and --out are both ${visible(out)}; name another file for one of them`);
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isFile() && there.size > 0)
    throw new UsageError(
      `--journal: ${visible(path)} holds something already; give a new file, or delete what a run has left first: \`sitepub cleanup ${plainWord(path)}\``,
    );
}

function tryTo<T>(work: () => T, explain: (error: unknown) => Error): T {
  try {
    return work();
  } catch (error) {
    throw explain(error);
  }
}

function isOfFolder(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(`${(error as NodeJS.ErrnoException).code}`);
}

/** Throws where a place can't be written. Permissions alone don't say it: a disk may be full, or read only. */
function probe(place: Place): void {
  if (place.kind === 'open') writeSync(place.descriptor, '');
  else if (place.kind !== 'file') accessSync(place.path, constants.W_OK);
  else if (place.there) accessSync(place.path, constants.W_OK);
  else {
    const { descriptor, draft } = openDraft(place.path);
    closeSync(descriptor);
    rmSync(draft);
  }
}

/** Writes to a file, or without one to the screen. */
export function writeOutput(path: string | undefined, text: string): void {
  if (path === undefined) process.stdout.write(text);
  else writeWhole(path, text);
}

/** Completely or not at all, but for what is no file: a device such as /dev/stdout, or a pipe, must not be replaced. Throws OutputError. */
export function writeWhole(path: string, text: string): void {
  try {
    writePlace(placeOf(path), text);
  } catch (error) {
    throw new OutputError(`${visible(path)} can't be written (${sayError(error as NodeJS.ErrnoException)})`);
  }
}

function writePlace(place: Place, text: string): void {
  if (place.kind === 'open') writeAll(place.descriptor, text);
  else if (place.kind === 'file') replaceFile(place.path, text, place.there);
  else writeThrough(place.path, text, constants.O_WRONLY);
}

function writeThrough(path: string, text: string, flags: number): void {
  const descriptor = openSync(path, flags);
  try {
    writeAll(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** A file that is mounted by itself, or lies in a folder of somebody else, can't be replaced; it is written in place. */
function replaceFile(path: string, text: string, there: Stats | undefined): void {
  try {
    writeDraft(path, text, there);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!there || !['EACCES', 'EBUSY', 'EPERM', 'EXDEV'].includes(`${code}`)) throw error;
    writeThrough(path, text, constants.O_WRONLY | constants.O_TRUNC);
  }
}

function writeDraft(path: string, text: string, there: Stats | undefined): void {
  const { descriptor, draft } = openDraft(path);
  try {
    try {
      writeAll(descriptor, text);
      if (there) keepOwner(descriptor, there);
      // Some disks say only now that they are full.
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
  } catch (error) {
    tryToRemove(draft);
    throw error;
  }
}

function tryToRemove(file: string): void {
  try {
    rmSync(file);
  } catch {}
}

/** A new file beside the one that it will replace. Its name is short, since names may be at their limit. */
function openDraft(path: string): { descriptor: number; draft: string } {
  const draft = join(dirname(path), `.sitepub-${randomBytes(6).toString('hex')}.part`);
  return { descriptor: openSync(draft, 'wx'), draft };
}

/** A file keeps its mode, and its owner where this may be given. */
function keepOwner(descriptor: number, { mode, uid, gid }: Stats): void {
  const made = fstatSync(descriptor);
  try {
    if (made.uid !== uid || made.gid !== gid) fchownSync(descriptor, uid, gid);
    fchmodSync(descriptor, mode & 0o777);
  } catch {}
}

/** What reads from a pipe may go away, which is no failure, or take its time. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
