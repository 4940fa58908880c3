// The folder of what this user's runs must remember, below one that everybody may write.
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
  /** What is to be said of it: somebody else has the usual one. */
  notice?: string;
}

/** The folder, made where it is missing; nobody but the user may look into it or write it. */
export function ownFolder(temporary = tmpdir()): OwnFolder {
  const usual = usualIn(temporary);
  const problem = explainFolder(usual);
  if (problem === undefined) return { path: usual };
  const said = `${usual} is not used: ${problem}; what other runs keep there, such as recent logins, is not known to this one`;
  try {
    return { path: mkdtempSync(join(temporary, `sitepub-${process.getuid?.() ?? 'run'}-`)), notice: said };
  } catch {
    return { path: usual, notice: `${said}, and nothing can be kept` };
  }
}

/** A folder below it for what can be made again; undefined where somebody else has the usual one. */
export function cacheFolder(name: string, temporary = tmpdir()): string | undefined {
  const usual = usualIn(temporary);
  return explainFolder(usual) === undefined ? join(usual, name) : undefined;
}

function usualIn(temporary: string): string {
  return join(temporary, `sitepub-${nameOfUser()}`);
}

/** Why a folder is not used; undefined where it is the user's own, or now is. */
function explainFolder(path: string): string | undefined {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    // On Windows each user has a temporary folder.
    if (!process.getuid) return undefined;
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | noFollow);
    try {
      const { uid, mode } = fstatSync(descriptor);
      if (uid !== process.getuid()) return 'it belongs to somebody else';
      if ((mode & 0o777) !== 0o700) fchmodSync(descriptor, 0o700);
    } finally {
      closeSync(descriptor);
    }
    return undefined;
  } catch (error) {
    return `it is no folder that can be used (${(error as NodeJS.ErrnoException).code})`;
  }
}

/** Links are not followed: somebody else may have put them there. Windows has no such flag. */
const noFollow: number = constants.O_NOFOLLOW ?? 0;

/** Containers may run as a user that has no name. */
function nameOfUser(): string {
  try {
    return userInfo().username.replace(/[^\w.-]/g, '_');
  } catch {
    return `${process.getuid?.()}`;
  }
}

/** Reads a file of the folder: neither a link is followed, nor a pipe waited for. */
export function readOwnFile(file: string): string {
  const flag = constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0);
  return readFileSync(file, { encoding: 'utf8', flag });
}

/** Writes a file of the folder, wholly or not at all. */
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
