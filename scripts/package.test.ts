// @module-tag ci
// The package as users get it: packed, installed, with only its declared dependencies.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { publint } from 'publint';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateTypes } from '../cli/types/generate-types.ts';
import { explainNode } from '../mock/embed/check-node.ts';
import { loadProfile } from '../openapi/profile.ts';
import packageJson from '../package.json' with { type: 'json' };
import { installCheckout, linkPackage, npm, run } from './testing/pack-checkout.ts';
import {
  newestCompiler,
  programOptions,
  programs,
  resolutions,
  typeCheck,
  writeBlocks,
} from './testing/type-check-blocks.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sitepub-package-'));
const home = join(folder, 'user');
const installed = join(home, 'node_modules/sitepub');
const tarball = join(folder, `sitepub-${packageJson.version}.tgz`);
const command = join(installed, 'cli/sitepub.mjs');

const olderNode = findOlderNode();

beforeAll(async () => {
  await installCheckout(folder, home);
  // Packages that the programs in the docs use.
  for (const name of ['@types/node', '@types/express', 'express', 'fastify', 'vite', 'vitest'])
    linkPackage(name, home);
}, 240_000);

test('publint finds no problem', async () => {
  const { messages } = await publint({ pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer } });
  expect(messages).toEqual([]);
});

test('ships only the files that users need', () => {
  const files = globSync('**/*.*', { cwd: installed });
  const tops = new Set(files.map((file) => /^(dist\/)?[^/]+/.exec(file)?.[0]));
  const folders = [
    'cli',
    'client',
    'contract-tests',
    'mock',
    'openapi',
    'profiles',
    'shared',
    'third-party-licences.txt',
    'webhooks',
  ];
  const pages = ['CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'README.zh-CN.md', 'SECURITY.md'];
  const own = [
    ...pages,
    'cli',
    'docs',
    'examples',
    'package.json',
    'schemas',
    'dist/index.d.ts',
    'dist/index.js',
  ];
  expect([...tops].sort()).toEqual([...own, ...folders.map((name) => `dist/${name}`)].sort());
  const bytes = files.reduce((sum, file) => sum + statSync(join(installed, file)).size, 0);
  expect(bytes).toBeLessThan(10_000_000);
  expect(files).toContain('dist/mock/docs-site/scalar.js.br');
  expect(files).toContain('dist/openapi/vectors/signatures.json');
  for (const name of ['config', 'expected-failures', 'profile', 'world'])
    expect(files).toContain(`schemas/${name}.json`);
  expect(files).toContain('dist/openapi/report.schema.json');
  const sources = files.filter((file) => /\.test\.|testing\.|(?<!\.d)\.ts$/.test(file));
  // Readers copy examples, because Node runs no TypeScript inside node_modules.
  expect(sources.filter((file) => !/^examples\/.*(?<!\.test)\.ts$/.test(file))).toEqual([]);
  expect(sources).toContain('examples/embedded-mock/site-publisher.ts');
  expect(sources).not.toContain('examples/use-checkout.ts');
});

test('links of pages lead to files of the package', () => {
  const pages = globSync('**/*.md', { cwd: installed });
  const links = pages.flatMap((page) => {
    const text = readFileSync(join(installed, page), 'utf8').replaceAll(/`[^`\n]*`/g, '');
    return [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to = '']) => [page, to] as const);
  });
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(([page, to]) => !existsSync(join(installed, dirname(page), to)))).toEqual([]);
});

test('prints its manual', async () => {
  const { status, stdout } = await run([command, 'docs', 'config'], home);
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: readFileSync(join(installed, 'docs/reference/config.md'), 'utf8'),
  });
  expect((await run([command, 'docs'], home)).stdout).toContain(`\n  config `);
});

test('imports exactly the declared dependencies', () => {
  const { dependencies, peerDependencies } = packageJson;
  const declared = [...Object.keys(dependencies), ...Object.keys(peerDependencies)].sort();
  expect([...new Set(importedPackages())].sort()).toEqual(declared);
});

test.for([
  ['sitepub', []],
  ['sitepub/types', []],
  ['sitepub/webhooks', []],
  ['sitepub/webhooks/express', []],
  ['sitepub/webhooks/fastify', []],
  ['sitepub/client', ['openapi-fetch']],
] as const)('%s needs only %j', async ([entrance, needs]) => {
  const bare = join(folder, ['bare', ...needs].join('-'));
  if (!existsSync(bare)) {
    cpSync(installed, join(bare, 'node_modules/sitepub'), { recursive: true });
    for (const name of needs) linkPackage(name, bare);
  }
  writeFileSync(join(bare, 'use.mjs'), `console.log(typeof (await import('${entrance}')))`);
  expect((await run(['use.mjs'], bare)).stdout).toBe('object\n');
});

test('an embedded mock, the client and the API reference work from the package', async () => {
  const { stdout, stderr } = await run(['--input-type=module', '--eval', embedded], home);
  expect({ stdout, stderr }).toEqual({ stdout: '2 sites, 401 40100, docs 200 200\n', stderr: '' });
});

test.skipIf(olderNode === undefined)(
  '`sitepub` and sitepub/mock explain themselves to an old Node (needs a Node before 22.19)',
  async () => {
    expect(await run([command, '--version'], home, olderNode)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^sitepub: Node 22\.19 or newer is needed, and this is [\d.]+; install Node 24 from https:\/\/nodejs\.org and try again\.\n$/,
      ),
    });
    writeFileSync(join(home, 'old.mjs'), `import { startMock } from 'sitepub/mock';\nawait startMock();\n`);
    const { status, stderr } = await run(['old.mjs'], home, olderNode);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /\n\[?Error: sitepub\/mock needs Node 22\.19 or newer, but this is Node .*, for example Node 24\]?\n/,
    );
    expect(stderr).not.toMatch(/^ +at /m);
  },
);

const embedded = `
import { createClient } from 'sitepub/client';
import { startMock } from 'sitepub/mock';
const mock = await startMock();
const [tenant] = mock.tenants;
const client = createClient({ baseUrl: mock.baseUrl, ...tenant.users[0] });
const { total } = await client.GET('/tenant/sites');
const { status, code } = await createClient({ baseUrl: mock.baseUrl, apiKey: 'sp_x' }).GET('/tenant/sites').catch((error) => error);
const docs = await Promise.all(['/docs', '/docs/scalar.js'].map(async (path) => (await fetch(new URL(path, mock.baseUrl))).status));
console.log(total + ' sites, ' + status + ' ' + code + ', docs ' + docs.join(' '));
await mock.close();
`;

test('a new project installs, initializes and tests its staging', async () => {
  const project = join(folder, 'project');
  mkdirSync(project);
  const call = `node -e "fetch(process.env.SITEPUB_BASE_URL + '/none').then(({ status }) => console.log('answered', status))"`;
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'shop', private: true, scripts: { test: call } }),
  );
  await npm(['install', '--save-dev', '--no-audit', '--no-fund', '--prefer-offline', tarball], project);
  const own = join(project, 'node_modules/sitepub/cli/sitepub.mjs');
  expect(await run([own, 'init', '--yes'], project)).toMatchObject({ status: 0, stderr: '' });
  const tested = await run([own, 'exec', '--', 'npm', 'test'], project);
  expect(tested).toMatchObject({ status: 0, stdout: expect.stringContaining('answered 404\n') });
  const staging = spawn(process.execPath, [own, 'mock', '--port', '0', '--json'], { cwd: project });
  try {
    const [line] = await once(staging.stdout, 'data');
    const { base_url: url, tenants } = JSON.parse(String(line));
    const config = join(project, 'sitepub.config.yaml');
    const text = readFileSync(config, 'utf8');
    writeFileSync(config, text.replace('https://staging.example.com/api/v1', url));
    const [{ username, password }] = tenants[0].users;
    const access = { STAGING_USERNAME: username, STAGING_PASSWORD: password };
    const { status, stdout } = await run([own, 'test', 'staging'], project, process.execPath, access);
    expect(stdout).toMatch(/81 requirements: \d+ passed, 0 failed/);
    expect(status).toBe(0);
  } finally {
    staging.kill();
  }
}, 180_000);

test('`exec` supports --https, --cors, --vary and --fault', async () => {
  const flags = ['--https', '--cors', '--vary', 'all', '--fault', 'no-trace-id-on-404'];
  const program = [process.execPath, '--input-type=module', '--eval', visits];
  const { stdout, stderr } = await run([command, 'exec', ...flags, '--', ...program], home);
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toEqual([
    '/docs 200 https://shop.example',
    '/docs/scalar.js 200 https://shop.example',
    '/_mock/console/console.js 200 null',
    '/api/v1/none 404 https://shop.example',
  ]);
});

const visits = `
for (const path of ['/docs', '/docs/scalar.js', '/_mock/console/console.js', '/api/v1/none']) {
  const headers = { origin: 'https://shop.example' };
  const answer = await fetch(new URL(path, process.env.SITEPUB_BASE_URL), { headers });
  console.log(path, answer.status, answer.headers.get('access-control-allow-origin'));
}`;

test('contains the licences of bundled libraries', () => {
  const licences = readFileSync(join(installed, 'dist/third-party-licences.txt'), 'utf8');
  const names = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+ \((MIT|ISC|BSD-3-Clause)\)$/gm)].map(
    ([, name]) => name,
  );
  expect(names).toEqual(expect.arrayContaining(['fastify', 'find-my-way', 'semver']));
});

test('the embedded-mock example and the checks of sitepub/vitest run', async () => {
  const program = `await (await import('sitepub/vitest')).contractTests({ suite: 'smoke' });`;
  cpSync(join(root, 'examples/embedded-mock'), join(home, 'programs'), { recursive: true });
  writeFileSync(join(home, 'programs/contract.test.js'), program);
  const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--root', 'programs'];
  const { status, stdout } = await run([command, 'exec', '--', ...vitest], home);
  expect(stdout).toMatch(/site-publisher\.spec\.ts \(4 tests\)/);
  expect(stdout).toMatch(/contract\.test\.js \(\d+ tests \| \d+ skipped\)/);
  expect(status).toBe(0);
});

test('`sitepub types` works without TypeScript, and with another version of it', async () => {
  const without = await run([command, 'types', '--profile', 'nested-201-uuid'], home);
  expect(without).toMatchObject({ status: 0, stderr: '' });
  expect(without.stdout).toBe(await generateTypes(loadProfile('nested-201-uuid')));
  symlinkSync(join(root, 'node_modules/typescript-7'), join(home, 'node_modules/typescript'));
  const beside = await run([command, 'types', '--profile', 'nested-201-uuid'], home);
  rmSync(join(home, 'node_modules/typescript'));
  expect(beside).toEqual(without);
});

test('`sitepub mcp` says which peer dependency to install, and works with it', async () => {
  expect(await run([command, 'mcp'], home)).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'sitepub: this command needs a package that is not installed; run npm install --save-dev @modelcontextprotocol/server (`sitepub mcp --help`)\n',
  });
  linkPackage('@modelcontextprotocol/server', home);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, 'exec', '--', process.execPath, command, 'mcp', '--allow-changes'],
    cwd: home,
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const { structuredContent } = await client.callTool(
    { name: 'run_checks', arguments: { suite: 'smoke' } },
    { timeout: 80_000 },
  );
  await client.close();
  expect(structuredContent).toMatchObject({ aborted: null, failed: [], summary: { passed: 17 } });
});

test('TypeScript 5.4, the oldest supported one, accepts all declarations', async () => {
  const oldest = join(folder, 'oldest');
  mkdirSync(oldest);
  await npm(['install', '--no-audit', '--no-fund', '--prefix', oldest, 'typescript@5.4.5'], oldest);
  const compiler = join(oldest, 'node_modules/typescript/bin/tsc');
  const files = ['light.ts', 'heavy.ts'] as const;
  for (const file of files) writeFileSync(join(home, file), programs[file]);
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
  const options = { ...resolutions.nodenext, target: 'es2022', lib: ['es2023'], skipLibCheck: false };
  expect(await typeCheck(files, home, { compiler, options })).toBe('');
}, 120_000);

describe('with the newest TypeScript', () => {
  const compiler = newestCompiler;

  test.for([
    ['nodenext', 'light.ts'],
    ['bundler', 'light.ts'],
    ['nodenext', 'heavy.ts'],
    ['bundler', 'heavy.ts'],
  ] as const)('under %s, %s compiles', async ([resolution, file]) => {
    writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(home, file), programs[file]);
    const options = { ...resolutions[resolution], ...programOptions[file] };
    expect(await typeCheck([file], home, { compiler, options })).toBe('');
  });

  test.for(Object.entries(resolutions))(
    'under %s, all TypeScript of the docs compiles',
    async ([, options]) => {
      const folder = join(home, 'manual');
      expect(await typeCheck(writeBlocks(folder), folder, { compiler, options })).toBe('');
    },
  );
});

function findOlderNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders
    .map((each) => join(each, 'node'))
    .filter((file) => existsSync(file))
    .find((file) => {
      const version = execFileSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' });
      return explainNode(version) !== undefined;
    });
}

function importedPackages(): string[] {
  const files = globSync('dist/**/*.{js,d.ts}', { cwd: installed });
  return files
    .flatMap(
      (file) => ts.preProcessFile(readFileSync(join(installed, file), 'utf8'), true, true).importedFiles,
    )
    .map(({ fileName }) => fileName)
    .filter((name) => !/^[./]|^node:/.test(name) && !builtinModules.includes(name))
    .flatMap((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? []);
}
