// Starts other programs for the set-up.
// Plain JavaScript, because it must run on Node 20.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, dirname } from 'node:path';

/** The set-up cannot continue. The message is for users. */
export class SetupError extends Error {}

const windows = process.platform === 'win32';

/** In milliseconds. Node does not handle signals while it exits, so a second signal would kill it. */
const passOnMs = 100;

/** The environment with this Node and the binaries of the given folders first in PATH.
 * @param {string} node @param {string[]} folders */
export function environmentOf(node, ...folders) {
  const path = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  return { ...process.env, [path]: [dirname(node), ...folders, process.env[path]].join(delimiter) };
}

/** How to start npm with the given Node: the cli.js of npm if it is known, otherwise `npm` on PATH.
 * @param {string} node @param {string[]} args @returns {[string, string[], boolean]} command, arguments, shell */
export function npmCommand(node, args) {
  const npm = process.env.npm_execpath ?? '';
  if (basename(npm) === 'npm-cli.js' && existsSync(npm)) return [node, [npm, ...args], false];
  return windows ? ['npm', args.map(quote), true] : ['npm', args, false];
}

/** Runs a command, then ends this process with the same exit status or signal.
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
export function runToTheEnd(command, args, env = process.env) {
  const needsShell = windows && command !== process.execPath && !command.endsWith('.exe');
  const child = spawn(command, needsShell ? args.map(quote) : args, {
    stdio: 'inherit',
    env,
    shell: needsShell,
  });
  // A terminal sends Ctrl-C to the child too. The delay avoids a second signal for a child that is already ending.
  const passOn = (/** @type {NodeJS.Signals} */ signal) => setTimeout(() => child.kill(signal), passOnMs);
  process.on('SIGINT', (signal) => process.stdin.isTTY || passOn(signal));
  process.on('SIGTERM', passOn);
  process.on('SIGHUP', passOn);
  child.on('error', (error) => fail(new SetupError(`Could not start ${command}: ${error.message}.`)));
  child.on('exit', (status, signal) => {
    if (!signal) process.exit(status ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Prints why the set-up cannot continue, and exits.
 * @param {unknown} error @returns {never} */
export function fail(error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`sitepub: ${error.message}`);
  process.exit(2);
}

/** @param {string} word */
function quote(word) {
  return /[\s"&|<>^]/.test(word) ? `"${word.replaceAll('"', '\\"')}"` : word;
}
