// Runs the examples that have dependencies of their own as their readers do: copied out, with the package from its tarball.
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { npmCommand } from './node24.mjs';
import { packCheckout } from './testing/pack-checkout.ts';

const examples = fileURLToPath(new URL('../examples', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sitepub-recipes-'));
const tarball = join(folder, `sitepub-${packageJson.version}.tgz`);
const profiles = ['documented-only', 'always-200-camel-case', 'nested-201-uuid', 'flags-and-cursors'];

beforeAll(() => packCheckout(folder), 240_000);

afterAll(() => rmSync(folder, { recursive: true }));

test('these are all', () => {
  const found = globSync('*/package.json', { cwd: examples }).map((file) => dirname(file));
  expect(found.sort()).toEqual(['generated-clients']);
});

test('clients are generated from the description, and they compile, under each profile', async () => {
  const recipe = await install('generated-clients');
  await npm(recipe, ['test']);
  // A program that uses them is written for one profile.
  rmSync(join(recipe, 'use.ts'));
  for (const profile of profiles) await npm(recipe, ['test'], { PROFILE: profile });
}, 600_000);

/** Copies an example out of the checkout, and installs what it needs from the registry. */
async function install(name: string): Promise<string> {
  const recipe = join(folder, name);
  const isSource = (path: string) =>
    !/^(node_modules|generated)\b/.test(relative(join(examples, name), path));
  cpSync(join(examples, name), recipe, { recursive: true, filter: isSource });
  await npm(recipe, ['install', '--no-audit', '--no-fund', tarball]);
  return recipe;
}

/** Fails with all that was printed. */
async function npm(cwd: string, words: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<void> {
  const own = Object.entries(process.env).filter(([name]) => !/^(SITEPUB|GITHUB|npm|VITEST)_?/.test(name));
  const [command, args, shell] = npmCommand(process.execPath, [...words]);
  const env = { ...Object.fromEntries(own), NO_COLOR: '1', ...more };
  const options = { cwd, shell, env, maxBuffer: 1e7 };
  await promisify(execFile)(command, args, options).catch(({ stdout, stderr, message }) =>
    expect.fail(`${message}\n${stdout}\n${stderr}`),
  );
}
