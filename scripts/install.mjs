// Runs `npm ci` if it is needed, and never twice at once.
// Plain JavaScript, because it must run on Node 20.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentOf, npmCommand, SetupError } from './programs.mjs';

export const packageRoot = fileURLToPath(new URL('..', import.meta.url));

const turn = join(packageRoot, '.setup-turn');

/** Complete, because commands such as `npm pack --dry-run` pass their options on in the environment. No dependency needs its scripts. */
const options = [
  ...['--no-audit', '--no-fund', '--no-dry-run', '--no-global', '--no-json'],
  ...['--include=dev', '--ignore-scripts'],
];

/** Calls `work` to fill node_modules of a folder, unless it was filled for the same `things` before.
 * @param {string} folder @param {string} things @param {() => void} work */
export function fillOnce(folder, things, work) {
  const stamp = join(folder, 'node_modules', '.sitepub-setup');
  const isFilled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === things;
  if (isFilled()) return;
  takeTurn(() => {
    if (isFilled()) return;
    work();
    writeFileSync(stamp, things);
  });
}

/** Installs the lock file of a folder. npm refuses packages with another SHA-512.
 * @param {string} folder @param {string} node @param {string[]} more */
export function installLocked(folder, node, ...more) {
  const [command, words, shell] = npmCommand(node, ['ci', ...options, ...more]);
  const npm = spawnSync(command, words, {
    cwd: folder,
    env: environmentOf(node),
    shell,
    stdio: ['ignore', 2, 2],
  });
  if (npm.status === 0) return;
  const how = npm.error?.message ?? npm.signal ?? `exit ${npm.status}`;
  throw new SetupError(`npm ci failed in ${folder} (${how}); fix what npm reports and try again.`);
}

/** Parallel set-ups (`npm start` and `npm test`) would delete each other's node_modules.
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
