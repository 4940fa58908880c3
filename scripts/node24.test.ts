// @module-tag ci
// The Node that a checkout fetches if the running one is too old. Except in one test, npm is a script of this file.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listenTo } from '../contract-tests/testing.ts';
import { fetchedVersion, isNewEnough } from './node24.mjs';
import { runModule, runProgram } from './testing/run-program.ts';

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'sitepub-node24-'));
  for (const name of ['node24.mjs', 'install.mjs', 'programs.mjs'])
    cpSync(fileURLToPath(new URL(name, import.meta.url)), join(checkout, 'scripts', name));
  writeFileSync(
    join(checkout, 'npm-cli.js'),
    `const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
     appendFileSync(${JSON.stringify(join(checkout, 'calls'))}, process.argv[2] + ' ');
     if (process.env.NPM_FAILS) process.exit(1);
     const [, path] = Object.keys(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages);
     mkdirSync(path + '/bin', { recursive: true });
     const version = process.env.NPM_GIVES || '${fetchedVersion}';
     writeFileSync(path + '/bin/node', '#!/bin/sh\\necho v' + version + '\\n', { mode: 0o755 });`,
  );
});

async function find(environment: Record<string, string> = {}, properties: Record<string, unknown> = {}) {
  const faked = { versions: { ...process.versions, node: '20.20.2' }, ...properties };
  const script = `
    for (const [name, value] of Object.entries(${JSON.stringify(faked)})) Object.defineProperty(process, name, { value });
    const { findNode24 } = await import(${JSON.stringify(join(checkout, 'scripts/node24.mjs'))});
    const { fail } = await import(${JSON.stringify(join(checkout, 'scripts/programs.mjs'))});
    try { console.log(findNode24()); } catch (error) { fail(error); }`;
  const env = { ...process.env, npm_execpath: join(checkout, 'npm-cli.js'), ...environment };
  const { status, stdout, stderr } = await runModule(script, env);
  const calls = join(checkout, 'calls');
  return {
    ...{ status, node: stdout.trim(), stderr },
    calls: existsSync(calls) ? readFileSync(calls, 'utf8') : '',
  };
}

const advice =
  'sitepub: Node 24.18 or newer is needed, and this is 20.20.2. Install one yourself, or have it fetched: ';

describe.skipIf(process.platform !== 'linux')('on Linux (needs Linux)', () => {
  test('fetches Node once', async () => {
    const home = join(checkout, '.node24');
    const first = await find();
    expect(first).toMatchObject({ status: 0, node: expect.stringContaining(home), calls: 'ci ' });
    expect(first.stderr).toBe(
      `sitepub: Node 20.20.2 is too old, fetching Node ${fetchedVersion} into ${home}\n`,
    );
    expect(await find()).toEqual({ ...first, stderr: '' });
  });

  test('fetches again after a failure', async () => {
    const { status, stderr } = await find({ NPM_FAILS: '1' });
    expect(status).toBe(2);
    const home = join(checkout, '.node24');
    expect(stderr).toContain(
      `${advice}npm ci failed in ${home} (exit 1); fix what npm reports and try again.\n`,
    );
    expect(await find()).toMatchObject({ status: 0, calls: 'ci ci ' });
  });

  test('does not use a Node that does not run', async () => {
    for (const calls of ['ci ', 'ci ci ']) {
      const found = await find({ NPM_GIVES: '1.0.0' });
      expect(found).toMatchObject({ status: 2, node: '', calls });
      expect(found.stderr).toMatch(/the Node of node-linux-\w+ does not run here\.\n$/);
    }
  });

  test('npm refuses a package with another checksum', async () => {
    const origin = await serveAnother();
    const { status, stderr } = await find({
      npm_execpath: String(process.env.npm_execpath ?? ''),
      npm_config_registry: origin,
      npm_config_cache: join(checkout, 'cache'),
    });
    expect(status).toBe(2);
    expect(stderr).toContain('EINTEGRITY');
  });
});

test('fetches nothing for a platform without a checksum', async () => {
  const found = await find({}, { platform: 'sunos', arch: 'mips' });
  expect(found).toMatchObject({ status: 2, calls: '' });
  expect(found.stderr).toBe(`${advice}there is no checksum for node-sunos-mips.\n`);
});

test.for([
  ['20.20.2', false],
  ['24.17.9', false],
  ['24.18.0', true],
  ['26.0.0', true],
] as const)('Node %s is new enough: %s', ([version, want]) => {
  expect(isNewEnough(version)).toBe(want);
});

/** A registry with another package under the same name and version. */
async function serveAnother(): Promise<string> {
  mkdirSync(join(checkout, 'package'));
  writeFileSync(join(checkout, 'package/package.json'), JSON.stringify({ name: 'x', version: '1.0.0' }));
  const tarball = join(checkout, 'another.tgz');
  await runProgram('tar', ['-czf', tarball, '-C', checkout, 'package']);
  const server = createServer(({ url = '', headers }, response) => {
    if (url.endsWith('.tgz')) return response.end(readFileSync(tarball));
    const name = url.slice(1);
    const dist = { tarball: `http://${headers.host}/another.tgz` };
    const versions = { [fetchedVersion]: { name, version: fetchedVersion, dist } };
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: fetchedVersion }, versions }));
  });
  const { origin, close } = await listenTo(server);
  onTestFinished(close);
  return `${origin}/`;
}
