import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isNewEnough } from './node24.mjs';

const setup = fileURLToPath(new URL('setup.mjs', import.meta.url));
const stamp = new URL('../node_modules/.sitepub-setup', import.meta.url);

test('changes and prints nothing if the checkout is set up', () => {
  const before = statSync(stamp).mtimeMs;
  const { status, stdout, stderr } = run();
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(statSync(stamp).mtimeMs).toBe(before);
});

test('exits with the status of its command', () => {
  expect(run('node', '-e', 'process.exit(7)').status).toBe(7);
});

test('runs its command with a supported Node and the binaries of dependencies', () => {
  const { stdout } = run('node', '-p', 'process.versions.node');
  expect(isNewEnough(stdout.trim())).toBe(true);
  expect(run('biome', '--version').stdout).toMatch(/^Version: /);
});

test('says which command it could not start', () => {
  const { status, stderr } = run('no-such-command');
  expect(status).toBe(2);
  expect(stderr).toBe('sitepub: Could not start no-such-command: spawn no-such-command ENOENT.\n');
});

test.for(['SIGINT', 'SIGTERM'] as const)('waits for its command to end after %s', async (signal) => {
  const command = `process.on('${signal}', () => setTimeout(() => process.exit(5), 50)); console.log('up'); setInterval(() => {}, 1000)`;
  const child = await start(command);
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([5, null]);
});

test('sends no second signal to a command that is ending', async () => {
  // A process that is exiting handles no signals.
  const command = `process.once('SIGINT', () => setTimeout(() => process.exit(5), 30)); console.log('up'); setInterval(() => {}, 1000)`;
  const child = await start(command);
  process.kill(-Number(child.pid), 'SIGINT');
  expect(await once(child, 'exit')).toEqual([5, null]);
});

test('ends with the signal that ended its command', async () => {
  const child = spawn(process.execPath, [setup, 'node', '-e', `process.kill(process.pid, 'SIGTERM')`]);
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
});

/** Starts a program in its own process group, and waits for its output. */
async function start(program: string) {
  const child = spawn(process.execPath, [setup, 'node', '-e', program], { detached: true });
  await once(child.stdout, 'data');
  return child;
}

function run(...args: string[]) {
  return spawnSync(process.execPath, [setup, ...args], { encoding: 'utf8' });
}
