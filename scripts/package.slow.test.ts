// The package as its users get it: packed, unpacked, and with nothing around it but the dependencies that it declares.
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { npmCommand } from './node24.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sitepub-package-'));
const home = join(folder, 'user');
const installed = join(home, 'node_modules/sitepub');
const tarball = join(folder, `sitepub-${packageJson.version}.tgz`);
const command = join(installed, 'scripts/sitepub.mjs');

beforeAll(async () => {
  await pack();
  await unpack();
  for (const name of Object.keys(packageJson.dependencies)) link(name);
}, 240_000);

afterAll(() => rmSync(folder, { recursive: true }));

test('publint has no complaint', async () => {
  const { messages } = await publint({ pack: { tarball: bytesOf(tarball) } });
  expect(messages).toEqual([]);
});

test('types are found by all who can load ES modules', async () => {
  const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(bytesOf(tarball))));
  if (!checked.types) expect.fail('the package has no types');
  // What is left out is how TypeScript once resolved, and what CommonJS makes of ES modules.
  const isLeftOut = (problem: Problem) =>
    'resolutionKind' in problem && /^(node10|node16-cjs)$/.test(problem.resolutionKind);
  expect(checked.problems.filter((problem) => !isLeftOut(problem))).toEqual([]);
  expect(Object.keys(checked.entrypoints)).toEqual(Object.keys(packageJson.exports));
});

test('ships what is needed, and nothing else', () => {
  const files = globSync('**/*.*', { cwd: installed });
  const tops = new Set(
    files.map((file) =>
      file
        .split('/')
        .slice(0, file.startsWith('dist/') ? 2 : 1)
        .join('/'),
    ),
  );
  const folders = ['client', 'contract-tests', 'mock', 'openapi', 'profiles', 'scripts', 'webhooks'];
  const own = ['CHANGELOG.md', 'README.md', 'package.json', 'scripts', 'dist/index.d.ts', 'dist/index.js'];
  expect([...tops].sort()).toEqual([...own, ...folders.map((name) => `dist/${name}`)].sort());
  expect(files).toContain('dist/mock/docs-site/redoc.standalone.js');
  expect(files).toContain('dist/openapi/vectors/signatures.json');
  expect(files).toContain('dist/openapi/generated/profile.schema.json');
  expect(files).toContain('dist/openapi/report.schema.json');
  expect(files.filter((file) => /\.test\.|testing\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
});

test('imports what it declares, and declares what it imports', () => {
  const { dependencies, peerDependencies } = packageJson;
  const declared = [...Object.keys(dependencies), ...Object.keys(peerDependencies)].sort();
  // TypeScript is what openapi-typescript works with; none of ours imports it.
  const imported = [...importedPackages(), 'typescript'];
  expect([...new Set(imported)].sort()).toEqual(declared);
});

test.for([
  ['sitepub', []],
  ['sitepub/types', []],
  ['sitepub/webhooks', []],
  ['sitepub/webhooks/express', []],
  ['sitepub/webhooks/fastify', []],
  ['sitepub/client', ['openapi-fetch']],
] as const)('%s needs nothing but %j', async ([entrance, needs]) => {
  const bare = join(folder, ['bare', ...needs].join('-'));
  if (!existsSync(bare)) {
    cpSync(installed, join(bare, 'node_modules/sitepub'), { recursive: true });
    for (const name of needs) link(name, bare);
  }
  writeFileSync(join(bare, 'use.mjs'), `console.log(typeof (await import('${entrance}')))`);
  expect((await run(['use.mjs'], bare)).stdout).toBe('object\n');
});

test('an embedded mock, the client and the API reference work from the package', async () => {
  const { stdout, stderr } = await run(['--input-type=module', '--eval', embedded], home);
  expect({ stdout, stderr }).toEqual({ stdout: '2 sites, 401 40100, docs 200 200\n', stderr: '' });
});

const embedded = `
import { createClient } from 'sitepub/client';
import { startMock } from 'sitepub/mock';
const mock = await startMock();
const [tenant] = mock.tenants;
const client = createClient({ baseUrl: mock.baseUrl, ...tenant.users[0] });
const { total } = await client.GET('/tenant/sites');
const { status, code } = await createClient({ baseUrl: mock.baseUrl, apiKey: 'sp_x' }).GET('/tenant/sites').catch((error) => error);
const docs = await Promise.all(['/docs', '/docs/redoc.js'].map(async (path) => (await fetch(new URL(path, mock.baseUrl))).status));
console.log(total + ' sites, ' + status + ' ' + code + ', docs ' + docs.join(' '));
await mock.close();
`;

test('the suite runs from the package', async () => {
  const { status, stdout } = await run(
    [command, 'exec', '--', process.execPath, command, 'test', '--suite', 'smoke'],
    home,
  );
  expect(stdout).toMatch(/81 requirements: \d+ passed, 0 failed/);
  expect(status).toBe(0);
});

test('the example of a suite that embeds the mock runs as its users would run it', async () => {
  cpSync(join(root, 'examples/embedded-mock'), join(home, 'embedded-mock'), { recursive: true });
  const { status, stdout } = await run(
    ['node_modules/vitest/vitest.mjs', 'run', '--root', 'embedded-mock'],
    home,
  );
  expect(stdout).toMatch(/Tests\s+4 passed/);
  expect(status).toBe(0);
});

test('without the optional peers, `sitepub types` says how to install them', async () => {
  const { status, stderr } = await run([command, 'types'], home);
  expect(stderr).toContain('and one of them is not installed; install both:\n');
  expect(stderr).toContain('sitepub:   npm install --save-dev openapi-typescript typescript@5\n');
  expect(status).toBe(2);
});

test.for([
  ['nodenext', 'light.ts', ['--lib', 'es2023,dom,dom.iterable', '--skipDefaultLibCheck']],
  [
    'bundler',
    'heavy.ts',
    ['--lib', 'es2023', '--skipLibCheck', '--typeRoots', join(root, 'node_modules/@types')],
  ],
] as const)('TypeScript programs use it with %s', async ([resolution, file, flags]) => {
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(home, file), programs[file]);
  const module = resolution === 'bundler' ? 'preserve' : resolution;
  const kind = ['--module', module, '--moduleResolution', resolution, '--target', 'es2023'];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run([compiler, '--noEmit', '--strict', ...kind, ...flags, file], home);
  expect(stdout).toBe('');
});

const programs = {
  'light.ts': `
import { type EventName, version } from 'sitepub';
import { BusinessError, createClient } from 'sitepub/client';
import type { paths, WebhookEvent } from 'sitepub/types';
import { verifyWebhook } from 'sitepub/webhooks';

const client = createClient<paths>({ baseUrl: 'https://host/api/v1', apiKey: 'sp_1' });
const site: number | undefined = (await client.GET('/tenant/sites')).list[0]?.site_id;
const name: EventName = 'publish.complete';
const pages = (event: WebhookEvent) => (event.event === name ? event.data : undefined);
const codeOf = (error: unknown) => error instanceof BusinessError ? error.code : 0;
// @ts-expect-error: there is no such path
await client.GET('/tenant/nothing');
export { codeOf, pages, site, verifyWebhook, version };
`,
  'heavy.ts': `
import { startMock } from 'sitepub/mock';
import { createExpressHandler } from 'sitepub/webhooks/express';
import { fastifyWebhooks } from 'sitepub/webhooks/fastify';

const mock = await startMock({ clock: 'manual' });
const now: string = (await mock.control.advance('PT1M')).now;
// @ts-expect-error: there is no such clock
await startMock({ clock: 'fast' });
export { createExpressHandler, fastifyWebhooks, now };
`,
};

/** As npm would pack the checkout, but without touching its dist/. */
async function pack(): Promise<void> {
  const stage = join(folder, 'stage');
  const shipped = [
    'package.json',
    'README.md',
    'LICENSE',
    ...packageJson.files.filter((file) => file !== 'dist'),
  ];
  for (const file of shipped) cpSync(join(root, file), join(stage, file));
  const built = await run(['scripts/build.ts', join(stage, 'dist')], root);
  if (built.status !== 0) throw new Error(`the package can't be built:\n${built.stderr}`);
  const [npm, args, shell] = npmCommand(process.execPath, [
    'pack',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  ]);
  await promisify(execFile)(npm, args, { cwd: stage, shell });
}

async function unpack(): Promise<void> {
  mkdirSync(installed, { recursive: true });
  await promisify(execFile)('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
}

function link(name: string, where = home): void {
  const path = join(where, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), path, 'junction');
}

/** The packages that the JavaScript imports, whether at once or on demand. */
function importedPackages(): string[] {
  const files = globSync('dist/**/*.js', { cwd: installed, exclude: ['**/redoc.standalone.js'] });
  return files
    .flatMap(
      (file) => ts.preProcessFile(readFileSync(join(installed, file), 'utf8'), true, true).importedFiles,
    )
    .map(({ fileName }) => fileName)
    .filter((name) => !/^[./]|^node:/.test(name) && !builtinModules.includes(name))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

function bytesOf(file: string): ArrayBuffer {
  return new Uint8Array(readFileSync(file)).buffer;
}

function run(args: readonly string[], cwd: string) {
  const own = Object.entries(process.env).filter(([name]) => !/^(SITEPUB|GITHUB)_/.test(name));
  const options = { cwd, env: { ...Object.fromEntries(own), NO_COLOR: '1' }, maxBuffer: 1e7 };
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}
