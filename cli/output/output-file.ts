// The files that commands write: tried before any work is done, and never left half-written.
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { plainWord } from '../../contract-tests/core/shell-word.ts';
import { visible } from '../../contract-tests/core/visible-text.ts';
import type { Given } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';
import { sayError } from '../screen/guard-output.ts';

/** A file that can't be written. The message names it, and says why. */
export class OutputError extends Error {}

/** The file of `--out`; undefined for the screen. Throws UsageError when it can't be written. */
export function readOut(given: Given, inputs: readonly string[] = []): string | undefined {
  const out = given.text('out');
  if (out === undefined) return undefined;
  requireWritable('--out', out);
  const keys = ['ca', 'cert', 'key'].flatMap((flag) => given.text(flag) ?? []);
  if ([...inputs, ...keys].some((input) => isSameFile(input, out)))
    throw new UsageError(`--out ${visible(out)} is also an input; name another file`);
  return out;
}

/** The same for a file that only `--force` replaces. */
export function readNewOut(given: Given, inputs: readonly string[]): string | undefined {
  const out = readOut(given, inputs);
  if (out === undefined) return undefined;
  if (existsSync(out) && !given.switched('force'))
    throw new UsageError(`--out ${out} already exists; name another file, or add --force`);
  return out;
}

/** Throws UsageError when a flag names a file that can't be written, or one that holds a secret. */
export function requireWritable(flag: string, path: string): void {
  const problem = problemOf(path);
  if (problem !== undefined) throw new UsageError(`${flag}: ${problem}`);
}

function problemOf(path: string): string | undefined {
  try {
    const file = findReplaceable(path);
    const isFolder = file === undefined ? statSync(path).isDirectory() : /[\\/]$/.test(path);
    if (isFolder) return `${visible(path)} is a folder; give the path of a file`;
    const variable = secretIn(path);
    if (variable !== undefined)
      return `${visible(path)} is the file that ${variable} names; name another one`;
    // The dot refuses a file in the place of the folder.
    const isNew = file !== undefined && !existsSync(file);
    accessSync(isNew ? `${dirname(file)}/.` : path, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return ['ENOENT', 'ENOTDIR'].includes(code)
      ? `the folder ${visible(dirname(resolve(path)))} can't be written (${code}); create it first`
      : `${visible(path)} can't be written (${code}); give another path`;
  }
}

/** The variable, such as SITEPUB_PASSWORD_FILE, that names this file. */
function secretIn(path: string): string | undefined {
  const variables = Object.entries(process.env).filter(([name]) => /^SITEPUB_\w+_FILE$/.test(name));
  return variables.find(([, file = '']) => file !== '' && isSameFile(file, path))?.[0];
}

/** Throws UsageError where a journal can't be written, or another run would be mixed with what it lists. */
export function requireNewJournal(path: string | undefined, out?: string): void {
  if (path === undefined) return;
  requireWritable('--journal', path);
  if (out !== undefined && isSameFile(path, out))
    throw new UsageError(`--journal and --out are both ${visible(out)}; name another file for one of them`);
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isFile() && there.size > 0)
    throw new UsageError(
      `--journal: ${visible(path)} is not empty; give a new file, or clean up after the earlier run: \`sitepub cleanup ${plainWord(path)}\``,
    );
}

function isSameFile(one: string, other: string): boolean {
  try {
    return followLinks(one) === followLinks(other);
  } catch {
    return false;
  }
}

/** Writes to a file, or without one to the screen. */
export function writeOutput(path: string | undefined, text: string): void {
  if (path === undefined) process.stdout.write(text);
  else writeWhole(path, text);
}

/** Writes a file at the end of a run. If that fails, says so and what becomes of the text, and returns false. */
export function saveOutput(path: string, text: string, fate = 'its content is lost'): boolean {
  try {
    writeWhole(path, text);
    return true;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    console.error(`sitepub: ${error.message}; ${fate}`);
    return false;
  }
}

/** Writes a profile to its file, or to standard output without one or where that fails. Returns whether it is where it was wanted. */
export function saveProfile(out: string | undefined, profile: string): boolean {
  const text = out === undefined ? profile : `${schemaLine('profile', out)}\n${profile}`;
  if (out !== undefined && saveOutput(out, text, 'the profile is on standard output')) return true;
  process.stdout.write(profile);
  return out === undefined;
}

/** Replaces a regular file completely or not at all, and writes to anything else. Throws OutputError. */
export function writeWhole(path: string, text: string): void {
  try {
    const file = findReplaceable(path);
    if (file === undefined) writeThrough(path, text);
    else replaceFile(file, text);
  } catch (error) {
    throw new OutputError(`${visible(path)} can't be written (${sayError(error as NodeJS.ErrnoException)})`);
  }
}

/** What is open already, such as /dev/stdout: a shell may have opened a regular file, and goes on writing to it. */
const openAlready = /^\/dev\/std(out|err)$|^\/(?:dev|proc\/self)\/fd\/(\d+)$/;

/** The regular file that a path leads to, or would make; undefined for pipes, devices and folders. */
function findReplaceable(path: string): string | undefined {
  const there = statSync(path, { throwIfNoEntry: false });
  const isOther = openAlready.test(resolve(path)) || (there && !there.isFile());
  return isOther ? undefined : followLinks(path);
}

/** The path at the end of links, where there may be no file yet. */
function followLinks(path: string): string {
  const folder = realpathSync(dirname(resolve(path)));
  const file = join(folder, basename(path));
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? followLinks(resolve(folder, readlinkSync(file))) : file;
}

function replaceFile(file: string, text: string): void {
  const draft = join(dirname(file), `.sitepub-${randomBytes(6).toString('hex')}.part`);
  const there = statSync(file, { throwIfNoEntry: false });
  const mode = (there?.mode ?? 0o666) & 0o777;
  try {
    // Some disks say only when they are flushed that they are full.
    writeFileSync(draft, text, { flag: 'wx', mode, flush: true });
    if (there) chmodSync(draft, mode);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    // A file that is mounted by itself, or lies in a folder of somebody else, can't be replaced.
    const isFixed = ['EACCES', 'EBUSY', 'EPERM'].includes(`${(error as NodeJS.ErrnoException).code}`);
    if (!there || !isFixed) throw error;
    writeFileSync(file, text);
  }
}

function writeThrough(path: string, text: string): void {
  const [, name, descriptor] = openAlready.exec(resolve(path)) ?? [];
  // As bytes, which the guard of the output leaves as they are.
  if (name !== undefined) (name === 'out' ? process.stdout : process.stderr).write(Buffer.from(text));
  else writeFileSync(descriptor === undefined ? path : Number(descriptor), text, { flag: 'a' });
}

/** The comment by which editors complete and check a file that is written here; its schema lies where npm has installed the package. */
export function schemaLine(name: 'config' | 'profile', file: string): string {
  const folder = dirname(resolve(file));
  const schema = join(homeOf(folder), 'node_modules/sitepub/schemas', `${name}.json`);
  const path = relative(folder, schema).split(sep).join('/');
  return `# yaml-language-server: $schema=${path.startsWith('.') ? path : `./${path}`}`;
}

/** The nearest folder that sitepub is installed in, else the working directory. */
function homeOf(folder: string): string {
  if (existsSync(join(folder, 'node_modules/sitepub'))) return folder;
  return dirname(folder) === folder ? process.cwd() : homeOf(dirname(folder));
}
