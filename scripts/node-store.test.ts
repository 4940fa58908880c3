// Where a Node that was fetched is kept. npm is one of ours here, which makes a program that says the wanted version.
import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { fetchedVersion } from './node24.mjs';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sitepub-store-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'cache'));
  writeFileSync(
    join(folder, 'npm-cli.js'),
    `const { mkdirSync, writeFileSync, appendFileSync } = require('node:fs');
     const words = process.argv.slice(2);
     appendFileSync(${JSON.stringify(join(folder, 'calls'))}, words[0] === 'pack' ? 'x' : '');
     if (process.env.NPM_FAILS) { console.error('npm error code ' + process.env.NPM_FAILS); process.exit(1); }
     if (words[0] === 'pack') {
       const file = words[words.indexOf('--pack-destination') + 1] + '/' + words.at(-1).replace('@', '-') + '.tgz';
       writeFileSync(file, process.env.NPM_GIVES || 'as published');
       process.exit();
     }
     appendFileSync(${JSON.stringify(join(folder, 'installed'))}, 'x');
     const name = words.at(-1).split('/').at(-1).replace('-${fetchedVersion}.tgz', '');
     const bin = words[words.indexOf('--prefix') + 1] + '/node_modules/' + name + '/bin';
     mkdirSync(bin, { recursive: true });
     writeFileSync(bin + '/node', '#!/bin/sh\\necho v${fetchedVersion}\\n', { mode: 0o755 });`,
  );
});

/** The Node that a checkout finds under Node 20. */
function find(project: string, environment: Record<string, string> = {}) {
  const root = join(folder, project);
  for (const name of ['node24.mjs', 'node-store.mjs', 'run-to-the-end.mjs'])
    cpSync(fileURLToPath(new URL(name, import.meta.url)), join(root, 'scripts', name));
  const digest = hash('sha512', 'as published', 'base64');
  writeFileSync(
    join(root, 'scripts/node24-digests.mjs'),
    `export const fetchedVersion = '${fetchedVersion}';
     export const digests = new Proxy({}, { get: () => ${JSON.stringify(environment.NO_DIGEST ? undefined : digest)} });`,
  );
  const script = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
    const { fail, findNode24 } = await import(${JSON.stringify(join(root, 'scripts/node24.mjs'))});
    try { console.log(findNode24()); } catch (error) { fail(error); }`;
  const env = { ...process.env, npm_execpath: join(folder, 'npm-cli.js'), ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { XDG_CACHE_HOME: join(folder, 'cache'), ...env },
    encoding: 'utf8',
  });
  return { status, node: stdout.trim(), stderr, fetches: fetches() };
}

const fetches = () =>
  existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').length : 0;
const store = () => join(folder, 'cache/sitepub/node');

test.skipIf(process.platform === 'win32')(
  'it is fetched once, for all projects of a user (skipped on Windows)',
  () => {
    const one = find('one', { XDG_CACHE_HOME: join(folder, 'cache') });
    expect(one).toMatchObject({
      status: 0,
      node: expect.stringContaining(`${store()}/${fetchedVersion}/`),
      fetches: 1,
    });
    expect(one.stderr).toBe(
      `sitepub: Node 20.20.2 is too old, fetching Node ${fetchedVersion} into ${store()}/${fetchedVersion}\n`,
    );
    expect(execFileSync(one.node, { encoding: 'utf8' })).toBe(`v${fetchedVersion}\n`);
    const other = find('other', { XDG_CACHE_HOME: join(folder, 'cache') });
    expect(other).toMatchObject({ node: one.node, fetches: 1, stderr: '' });
    expect([existsSync(join(folder, 'one/.node24')), statSync(store()).mode & 0o777]).toEqual([false, 0o700]);
    expect(readdirSync(store())).toEqual([fetchedVersion]);
  },
);

test('one that a project has already is used', () => {
  const before = find('one', { XDG_CACHE_HOME: join(folder, 'npm-cli.js') });
  expect(before.node).toContain(join(folder, 'one/.node24'));
  expect(find('one', { XDG_CACHE_HOME: join(folder, 'cache') })).toMatchObject({
    node: before.node,
    fetches: 1,
  });
});

test.skipIf(!process.getuid).for([
  ['a folder that others may write', () => chmodSync(join(folder, 'cache'), 0o777)],
  [
    'a folder of others in it',
    () => mkdirSync(join(folder, 'cache/sitepub'), { mode: 0o700 }),
    (path: string) => chmodSync(path, 0o777),
  ],
  [
    'a link in it',
    () => {
      mkdirSync(join(folder, 'elsewhere/node'), { recursive: true });
      symlinkSync(join(folder, 'elsewhere'), join(folder, 'cache/sitepub'));
    },
  ],
  ['a file in its place', () => writeFileSync(join(folder, 'cache/sitepub'), '')],
] as const)('with %s it is kept in the project', ([, prepare, open]) => {
  prepare();
  open?.(join(folder, 'cache/sitepub'));
  const found = find('one', { XDG_CACHE_HOME: join(folder, 'cache') });
  expect(found).toMatchObject({ status: 0, fetches: 1 });
  expect(found.node).toContain(join(folder, `one/.node24/${fetchedVersion}`));
});

test('without a home it is kept in the project, and no home is made', () => {
  const home = join(folder, 'nobody');
  const found = find('one', { XDG_CACHE_HOME: '', HOME: home, USERPROFILE: home, LOCALAPPDATA: '' });
  expect([found.node.includes('.node24'), existsSync(home)]).toEqual([true, false]);
});

test('a relative XDG_CACHE_HOME is none', () => {
  const home = join(folder, 'mei');
  mkdirSync(home);
  const { node } = find('one', { XDG_CACHE_HOME: 'cache', HOME: home, USERPROFILE: home, LOCALAPPDATA: '' });
  expect(node).toContain(home);
});

test('where the disk is full the project is tried, and what is wrong is said', () => {
  const found = find('one', { XDG_CACHE_HOME: join(folder, 'cache'), NPM_FAILS: 'ENOSPC' });
  expect(found).toMatchObject({ status: 2, fetches: 2 });
  expect(found.stderr).toContain('(ENOSPC); install Node 24 yourself, or put that right and try again.\n');
  expect(find('one', { XDG_CACHE_HOME: join(folder, 'cache'), NPM_FAILS: 'E404' }).fetches).toBe(3);
});

test('another Node than the published one is not even unpacked, and the reason is said', () => {
  const found = find('one', { XDG_CACHE_HOME: join(folder, 'cache'), NPM_GIVES: 'something else' });
  expect(found).toMatchObject({ status: 2, node: '', fetches: 1 });
  expect(found.stderr).toMatch(
    /@24\.\d+\.\d+ that npm fetched is not the one that was published \(its SHA-512 is another\); look at the registry that npm uses; install Node 24 yourself/,
  );
  expect([existsSync(join(folder, 'installed')), readdirSync(store())]).toEqual([false, []]);
  const unknown = find('one', { XDG_CACHE_HOME: join(folder, 'cache'), NO_DIGEST: '1' });
  expect(unknown).toMatchObject({ status: 2, node: '', fetches: 1 });
  expect(unknown.stderr).toContain('has to be is not known here');
});

test('a draft that was abandoned goes, and the folder is closed again', () => {
  find('one', { XDG_CACHE_HOME: join(folder, 'cache') });
  rmSync(join(store(), fetchedVersion), { recursive: true });
  mkdirSync(join(store(), 'draft-old'));
  chmodSync(store(), 0o755);
  const past = new Date(Date.now() - 7_200_000);
  execFileSync('touch', ['-d', past.toISOString(), join(store(), 'draft-old')]);
  find('one', { XDG_CACHE_HOME: join(folder, 'cache') });
  expect([readdirSync(store()), lstatSync(store()).mode & 0o777]).toEqual([[fetchedVersion], 0o700]);
});
