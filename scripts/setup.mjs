// Sets the checkout up, then runs the given command: node scripts/setup.mjs [command args…]
// Plain JavaScript: it has to run on Node 20. When nothing is to be done, it needs a few milliseconds.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as node24 from './node24.mjs';

const { environmentOf, fail, findNode24, npmCommand, packageRoot, runToTheEnd, SetupError } = node24;

const modules = join(packageRoot, 'node_modules');
const binaries = join(modules, '.bin');
const stamp = join(modules, '.sitepub-setup');
const turn = join(packageRoot, '.setup-turn');

try {
  const node = findNode24();
  const wanted = fingerprint(node);
  if (!isInstalled(wanted)) takeTurn(() => isInstalled(wanted) || install(node, wanted));
  linkCommand();
  const [command, ...args] = process.argv.slice(2);
  if (command) runToTheEnd(command === 'node' ? node : command, args, environmentOf(node, binaries));
} catch (error) {
  fail(error);
}

/** @param {string} wanted */
function isInstalled(wanted) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

/** @param {string} node @param {string} wanted */
function install(node, wanted) {
  console.error(`sitepub: installing dependencies into ${modules}`);
  // Stated in full, because `npm pack --dry-run` and the like pass their options on by environment.
  const usual = ['--no-audit', '--no-fund', '--no-dry-run', '--no-global', '--no-json', '--include=dev'];
  // No dependency needs its scripts, and our own would build what a checkout does not need.
  const options = [...usual, '--ignore-scripts'];
  const [command, words, shell] = npmCommand(node, ['ci', ...options]);
  const npm = spawnSync(command, words, {
    cwd: packageRoot,
    env: environmentOf(node),
    shell,
    stdio: ['ignore', 2, 2],
  });
  if (npm.status !== 0) {
    const how = npm.error?.message ?? npm.signal ?? `exit ${npm.status}`;
    throw new SetupError(`npm ci failed in ${packageRoot} (${how}); put right what npm says and try again.`);
  }
  writeFileSync(stamp, wanted);
}

/** A hash of everything that the installed dependencies depend on.
 * @param {string} node */
function fingerprint(node) {
  const lock = readFileSync(join(packageRoot, 'package-lock.json'));
  const { dependencies, devDependencies, overrides, allowScripts } = JSON.parse(
    readFileSync(join(packageRoot, 'package.json'), 'utf8'),
  );
  const machine = [process.platform, process.arch, majorOf(node)];
  const rest = JSON.stringify([dependencies, devDependencies, overrides, allowScripts, machine]);
  return createHash('sha256').update(lock).update(rest).digest('hex');
}

/** @param {string} node */
function majorOf(node) {
  return (node === process.execPath ? process.versions.node : node24.fetchedVersion).split('.')[0];
}

/** Two set-ups at once (`npm start` here, `npm test` there) would empty node_modules under each other.
 * @param {() => void} work */
function takeTurn(work) {
  for (let isWaiting = false; !claimTurn(); isWaiting = true) {
    if (!isWaiting) console.error(`sitepub: waiting for another set-up; if there is none, delete ${turn}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  try {
    work();
  } finally {
    rmSync(turn, { force: true });
  }
}

function claimTurn() {
  try {
    writeFileSync(turn, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (!existsSync(turn)) throw new SetupError(`The folder ${packageRoot} cannot be written: ${error}.`);
    if (!isRunning(Number(readFileSync(turn, 'utf8')))) rmSync(turn, { force: true });
    return false;
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !String(error).includes('ESRCH');
  }
}

/** npx runs the commands in node_modules/.bin; without this link it would install the checkout into its cache. */
function linkCommand() {
  const link = join(binaries, process.platform === 'win32' ? 'sitepub.cmd' : 'sitepub');
  if (lstatSync(link, { throwIfNoEntry: false })) return;
  if (process.platform === 'win32') writeFileSync(link, '@node "%~dp0..\\..\\scripts\\sitepub.mjs" %*\r\n');
  else symlinkSync('../../scripts/sitepub.mjs', link);
}
