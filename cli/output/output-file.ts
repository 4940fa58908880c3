// Checks output files before a command does any work, and never leaves them half-written.
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
import { describeError } from '../screen/guard-output.ts';

export class OutputError extends Error {}

/** Undefined for standard output. Throws UsageError if the file cannot be written. */
export function readOut(given: Given, inputs: readonly string[] = []): string | undefined {
  const out = given.text('out');
  if (out === undefined) return undefined;
  requireWritable('--out', out);
  const keys = ['ca', 'cert', 'key'].flatMap((flag) => given.text(flag) ?? []);
  if ([...inputs, ...keys].some((input) => isSameFile(input, out)))
    throw new UsageError(`--out ${visible(out)} is also an input; choose another file`);
  return out;
}

/** Like readOut, but replaces a file only with `--force`. */
export function readNewOut(given: Given, inputs: readonly string[]): string | undefined {
  const out = readOut(given, inputs);
  if (out === undefined) return undefined;
  if (existsSync(out) && !given.switched('force'))
    throw new UsageError(`--out ${out} already exists; choose another file, or add --force`);
  return out;
}

/** Throws UsageError if the file cannot be written or contains a secret. */
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
    if (variable !== undefined) return `${visible(path)} is the file in ${variable}; choose another one`;
    // The dot rejects a file instead of a folder.
    const isNew = file !== undefined && !existsSync(file);
    accessSync(isNew ? `${dirname(file)}/.` : path, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return ['ENOENT', 'ENOTDIR'].includes(code)
      ? `the folder ${visible(dirname(resolve(path)))} can't be written (${code}); create it first`
      : `${visible(path)} can't be written (${code}); choose another path`;
  }
}

/** The variable whose value is this file, such as SITEPUB_PASSWORD_FILE. */
function secretIn(path: string): string | undefined {
  const variables = Object.entries(process.env).filter(([name]) => /^SITEPUB_\w+_FILE$/.test(name));
  return variables.find(([, file = '']) => file !== '' && isSameFile(file, path))?.[0];
}

/** Throws UsageError if the journal cannot be written, or lists resources of another run. */
export function requireNewJournal(path: string | undefined, out?: string): void {
  if (path === undefined) return;
  requireWritable('--journal', path);
  if (out !== undefined && isSameFile(path, out))
    throw new UsageError(`--journal and --out are both ${visible(out)}; choose another file for one of them`);
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isFile() && there.size > 0)
    throw new UsageError(
      `--journal: ${visible(path)} is not empty; choose a new file, or clean up after the earlier run: \`npx sitepub cleanup ${plainWord(path)}\``,
    );
}

function isSameFile(one: string, other: string): boolean {
  try {
    return followLinks(one) === followLinks(other);
  } catch {
    return false;
  }
}

/** Without a path, writes to standard output. */
export function writeOutput(path: string | undefined, text: string): void {
  if (path === undefined) process.stdout.write(text);
  else writeWhole(path, text);
}

/** Returns false if it fails, after a message that ends with `fate`. */
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

/** Falls back to standard output. Returns whether the profile was written to the requested file. */
export function saveProfile(out: string | undefined, profile: string): boolean {
  const text = out === undefined ? profile : `${schemaLine('profile', out)}\n${profile}`;
  if (out !== undefined && saveOutput(out, text, 'the profile is on standard output')) return true;
  process.stdout.write(profile);
  return out === undefined;
}

/** Replaces a regular file as a whole, and appends to anything else. Throws OutputError. */
export function writeWhole(path: string, text: string): void {
  try {
    const file = findReplaceable(path);
    if (file === undefined) writeThrough(path, text);
    else replaceFile(file, text);
  } catch (error) {
    throw new OutputError(
      `${visible(path)} can't be written (${describeError(error as NodeJS.ErrnoException)})`,
    );
  }
}

/** Paths of open files, such as /dev/stdout. A shell that has opened a regular file continues to write to it. */
const openAlready = /^\/dev\/std(out|err)$|^\/(?:dev|proc\/self)\/fd\/(\d+)$/;

/** Undefined for pipes, devices and folders. */
function findReplaceable(path: string): string | undefined {
  const there = statSync(path, { throwIfNoEntry: false });
  const isOther = openAlready.test(resolve(path)) || (there && !there.isFile());
  return isOther ? undefined : followLinks(path);
}

/** The file need not exist. */
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
    // Some disks report that they are full only when they flush.
    writeFileSync(draft, text, { flag: 'wx', mode, flush: true });
    if (there) chmodSync(draft, mode);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    // A mounted file, or one in a folder of another user, cannot be replaced.
    const isFixed = ['EACCES', 'EBUSY', 'EPERM'].includes(`${(error as NodeJS.ErrnoException).code}`);
    if (!there || !isFixed) throw error;
    writeFileSync(file, text);
  }
}

function writeThrough(path: string, text: string): void {
  const [, name, descriptor] = openAlready.exec(resolve(path)) ?? [];
  // As bytes, because the output guard changes texts.
  if (name !== undefined) (name === 'out' ? process.stdout : process.stderr).write(Buffer.from(text));
  else writeFileSync(descriptor === undefined ? path : Number(descriptor), text, { flag: 'a' });
}

/** A comment that lets editors complete and validate the file. The schema is in the installed package. */
export function schemaLine(name: 'config' | 'profile', file: string): string {
  const folder = dirname(resolve(file));
  const schema = join(homeOf(folder), 'node_modules/sitepub/schemas', `${name}.json`);
  const path = relative(folder, schema).split(sep).join('/');
  return `# yaml-language-server: $schema=${path.startsWith('.') ? path : `./${path}`}`;
}

/** The nearest folder with sitepub in node_modules, or the working directory. */
function homeOf(folder: string): string {
  if (existsSync(join(folder, 'node_modules/sitepub'))) return folder;
  return dirname(folder) === folder ? process.cwd() : homeOf(dirname(folder));
}
