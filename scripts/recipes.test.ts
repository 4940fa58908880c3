// @module-tag nightly
// Runs the examples that have their own dependencies: copied, with the package from its tarball.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { chromium } from './pictures/testing/open-page.ts';
import { npm, packCheckout } from './testing/pack-checkout.ts';

const examples = fileURLToPath(new URL('../examples', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sitepub-recipes-'));
const tarball = join(folder, `sitepub-${packageJson.version}.tgz`);
const profiles = ['documented-only', 'always-200-camel-case', 'nested-201-uuid', 'flags-and-cursors'];

beforeAll(() => packCheckout(folder), 240_000);

test('covers all examples with dependencies', () => {
  const found = globSync('*/package.json', { cwd: examples }).map((file) => dirname(file));
  expect(found.sort()).toEqual(['front-end', 'generated-clients', 'pactum']);
});

test('clients of four generators compile with each profile, and call a mock', async () => {
  const recipe = await install('generated-clients');
  // The description takes the URL of the mock from the environment.
  await runNpm(recipe, ['run', 'call']);
  // These programs fit only one profile.
  for (const program of ['use.ts', 'call.ts']) rmSync(join(recipe, program));
  for (const profile of profiles) await runNpm(recipe, ['test'], { PROFILE: profile });
}, 600_000);

test('PactumJS tests compile, and pass against a mock', async () => {
  await runNpm(await install('pactum'), ['test']);
}, 300_000);

describe('the front-end', { timeout: 300_000 }, () => {
  test('starts in exec, and reaches the mock', async () => {
    const recipe = await install('front-end');
    await withDevServer(recipe, [process.execPath, 'dev.ts'], async (url) => {
      const body = JSON.stringify({ username: 'mei@harbour-cafe.example', password: 'demo-password-mei' });
      const login = await fetch(`${url}/session`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect(await login.json()).toEqual({ code: 0, message: 'success', trace_id: expect.any(String) });
      const cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? '';
      const sites = await fetch(`${url}/api/tenant/sites`, { headers: { cookie } });
      expect(await sites.json()).toMatchObject({ code: 0, data: { total: 2 } });
      expect((await fetch(`${url}/api/tenant/keys`, { headers: { cookie } })).status).toBe(404);
    });
  });

  test('Vite with the configuration of docs/guides/front-end.md reaches the mock of exec', async () => {
    const recipe = join(folder, 'front-end');
    const page = readFileSync(join(examples, '../docs/guides/front-end.md'), 'utf8');
    const [, config = ''] = /```ts\n(\/\/ vite\.config\.ts\n.*?)```/s.exec(page) ?? [];
    writeFileSync(join(recipe, 'alone.config.ts'), config);
    const vite = 'node_modules/vite/bin/vite.js --config alone.config.ts --port 0'.split(' ');
    await withDevServer(recipe, [process.execPath, ...vite], async (url) => {
      const answer = await fetch(`${url}/api/v1/tenant/sites`);
      expect([answer.status, await answer.json()]).toMatchObject([401, { code: 40100 }]);
    });
  });

  test('passes its tests with a world for each worker', async () => {
    const recipe = join(folder, 'front-end');
    await runNpm(recipe, ['test'], { CHROMIUM: chromium });
  });
});

async function withDevServer(
  cwd: string,
  command: string[],
  use: (url: string) => Promise<void>,
): Promise<void> {
  const args = [join(cwd, 'node_modules/sitepub/cli/sitepub.mjs'), 'exec', '--', ...command];
  const child = spawn(process.execPath, args, {
    cwd,
    env: ownEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface(child.stdout)) {
      const [, url] = /Local:\s+(http:\S+?)\/?$/.exec(stripVTControlCharacters(line)) ?? [];
      if (url !== undefined) return await use(url);
    }
    expect.fail('the server exited before it printed its address');
  } finally {
    child.kill();
    await ended;
  }
}

function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(SITEPUB|GITHUB|npm|VITEST)_?/.test(name));
  return { ...Object.fromEntries(own), NO_COLOR: '1' };
}

/** Copies an example, and installs its dependencies from the registry. */
async function install(name: string): Promise<string> {
  const recipe = join(folder, name);
  const isSource = (path: string) =>
    !/^(node_modules|generated|dist|test-results)\b/.test(relative(join(examples, name), path));
  cpSync(join(examples, name), recipe, { recursive: true, filter: isSource });
  await runNpm(recipe, ['install', '--no-audit', '--no-fund', tarball]);
  return recipe;
}

/** Fails with all output. */
async function runNpm(cwd: string, words: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<void> {
  await npm(words, cwd, { ...ownEnvironment(), ...more }).catch(({ stdout, stderr, message }) =>
    expect.fail(`${message}\n${stdout}\n${stderr}`),
  );
}
