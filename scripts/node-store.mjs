// Where a Node that was fetched is kept: once for each user, or in the project where that can't be.
// Plain JavaScript: it has to run on Node 20.
import { chmodSync, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** The user's store, made where it is missing; undefined where it can't be written, or others could put a Node of theirs there.
 * @param {NodeJS.ProcessEnv} [environment] @returns {string | undefined} */
export function openUserStore(environment = process.env) {
  try {
    const base = cacheFolder(environment);
    const store = join(base, 'sitepub', 'node');
    mkdirSync(store, { recursive: true, mode: 0o700 });
    if (!process.getuid) return store;
    if (!isSafe(statSync(base)) || !isOwn(dirname(store)) || !isOwn(store)) return undefined;
    // A mask of the user may have left it open.
    chmodSync(store, 0o700);
    return store;
  } catch {
    return undefined;
  }
}

/** @param {NodeJS.ProcessEnv} environment */
function cacheFolder({ XDG_CACHE_HOME: given = '', LOCALAPPDATA: local = '' }) {
  if (isAbsolute(given)) return given;
  if (process.platform === 'win32' && isAbsolute(local)) return local;
  const home = homedir();
  // Nobody's home is made here.
  if (!existsSync(home)) throw new Error(`there is no ${home}`);
  return process.platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache');
}

/** @param {string} folder */
function isOwn(folder) {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === process.getuid?.() && isSafe(found);
}

/** Whether nobody but its owner, who is this user or root, can put something else into its place.
 * @param {import('node:fs').Stats} stats */
function isSafe({ uid, mode }) {
  const isOpen = (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
  return (uid === process.getuid?.() || uid === 0) && !isOpen;
}
