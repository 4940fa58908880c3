// @module-tag nightly
// As many worlds as there may be, and signals to a command that has one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startTestMock } from '../testing/started-mock.ts';

const program = fileURLToPath(new URL('../../scripts/sitepub.mjs', import.meta.url));

test('there are at most 100 worlds besides main', async () => {
  const mock = await startTestMock({ clock: 'manual' });
  for (let count = 0; count < 100; count++) await mock.worlds.create({ name: `w${count}` });
  await expect(mock.worlds.create({ name: 'more' })).rejects.toThrow(
    'there are 100 worlds already; end one with',
  );
  await mock.worlds.end('w7');
  await mock.worlds.create({ name: 'more' });
  expect(mock.worlds.list()).toHaveLength(101);
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends the command, and then its world', async (signal, code) => {
  const mock = await startTestMock({ clock: 'manual' });
  const begun = Promise.withResolvers<void>();
  mock.worlds.watch((notes) => {
    if (notes.some((note) => note.type === 'request')) begun.resolve();
  });
  const script = `fetch(process.env.SITEPUB_BASE_URL); setTimeout(() => {}, 20_000)`;
  const args = ['exec', '--in-running-mock', '--', process.execPath, '-e', script];
  const child = spawn(process.execPath, [program, ...args], {
    stdio: 'inherit',
    env: { ...process.env, SITEPUB_CONTROL_URL: mock.controlUrl },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await begun.promise;
  expect(mock.worlds.list()).toHaveLength(2);
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([code, null]);
  expect(mock.worlds.list()).toHaveLength(1);
});
