// The private folder of this user's runs, in the shared temporary folder.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

export interface OwnFolder {
  path: string;
  /** A message for the user if the usual folder cannot be used. */
  notice?: string;
}

/** Creates the folder if needed, accessible only to the user. */
export function ownFolder(temporary = tmpdir()): OwnFolder {
  const usual = usualIn(temporary);
  const problem = explainFolder(usual);
  if (problem === undefined) return { path: usual };
  const said = `${usual} cannot be used: ${problem}; this run does not know what other runs store there, such as recent logins`;
  try {
    return { path: mkdtempSync(join(temporary, `sitepub-${process.getuid?.() ?? 'run'}-`)), notice: said };
  } catch {
    return { path: usual, notice: `${said}, and cannot store anything itself` };
  }
}

/** A subfolder for caches; undefined if the usual folder cannot be used. */
export function cacheFolder(name: string, temporary = tmpdir()): string | undefined {
  const usual = usualIn(temporary);
  return explainFolder(usual) === undefined ? join(usual, name) : undefined;
}

function usualIn(temporary: string): string {
  return join(temporary, `sitepub-${nameOfUser()}`);
}

/** Why a folder cannot be used; undefined if it belongs to the user or was created. */
function explainFolder(path: string): string | undefined {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    // On Windows each user has a private temporary folder.
    if (!process.getuid) return undefined;
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | noFollow);
    try {
      const { uid, mode } = fstatSync(descriptor);
      if (uid !== process.getuid()) return 'it belongs to another user';
      if ((mode & 0o777) !== 0o700) fchmodSync(descriptor, 0o700);
    } finally {
      closeSync(descriptor);
    }
    return undefined;
  } catch (error) {
    return `it is not a usable folder (${(error as NodeJS.ErrnoException).code})`;
  }
}

/** Does not follow links, because other users may have created them. Windows has no such flag. */
const noFollow: number = constants.O_NOFOLLOW ?? 0;

/** Containers may run as a user without a name. */
function nameOfUser(): string {
  try {
    return userInfo().username.replace(/[^\w.-]/g, '_');
  } catch {
    return `${process.getuid?.()}`;
  }
}

/** Reads a file of the folder without following links or waiting for pipes. */
export function readOwnFile(file: string): string {
  const flag = constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0);
  return readFileSync(file, { encoding: 'utf8', flag });
}

/** Writes a file of the folder atomically. */
export function writeOwnFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    tryToRemove(draft);
    throw error;
  }
}

function tryToRemove(file: string): void {
  try {
    unlinkSync(file);
  } catch {}
}
