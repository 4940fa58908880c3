import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findForbidden, roomOf, rooms } from './import-rule.ts';

const root = new URL('..', import.meta.url);
const files = globSync(['index.ts', '{openapi,client,webhooks,mock,contract-tests,scripts}/**/*.{ts,mjs}'], {
  cwd: root,
});
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

test('every file belongs to a room', () => {
  const isSupport = (file: string) => /(\.test|\/testing(\/.*)?)\.ts$/.test(file);
  expect(files.filter((file) => !roomOf(file) && !isSupport(file))).toEqual([]);
});

test('no file breaks the import rule', () => {
  expect(files.flatMap((file) => findForbidden(file, read(file)))).toEqual([]);
});

test('rooms import only rooms above them', () => {
  const paths = rooms.map(({ path }) => path);
  const isAbove = (name: string, index: number) =>
    paths.slice(0, index).some((path) => path === name || path.startsWith(`${name}/`));
  const wrong = rooms.flatMap(({ path, imports }, index) =>
    imports.filter((name) => !isAbove(name, index)).map((name) => `${path} names ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('CONTRIBUTING.md has the same rooms', () => {
  const page = read('CONTRIBUTING.md');
  const rowsUnder = (heading: string) => {
    const [, section = ''] = page.split(`### \`${heading}/\``);
    const [table = ''] = section.split('\n#');
    const rows = [...table.matchAll(/^\| (`.*?) \|/gm)];
    return rows.flatMap(([, names = '']) => names.match(/[\w./-]+/g) ?? []).toSorted();
  };
  const roomsIn = (folder: string) =>
    rooms.flatMap(({ path }) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []));
  expect(rowsUnder('mock')).toEqual(roomsIn('mock').toSorted());
  const topics = roomsIn('contract-tests').map((room) => room.replace(/^checks(\/.*)?$/, 'checks/'));
  expect(rowsUnder('contract-tests')).toEqual([...new Set([...topics, 'topic'])].toSorted());
});

// Allowed imports of the rooms themselves are tested above.
test.for([
  ['openapi/a.ts', `import { b } from '../mock/world/b.ts'`, ['mock/world/b.ts']],
  ['openapi/a.ts', `import data from '../package.json' with { type: 'json' }`, []],
  ['mock/http/a.ts', `import type { B } from '../../contract-tests/core/b.ts'`, ['contract-tests/core/b.ts']],
  ['mock/clock/a.ts', `type B = import('../service.ts').Service`, ['mock/service.ts']],
  ['mock/world/a.ts', `import { b } from '../testing/b.ts'`, ['mock/testing/b.ts']],
  ['mock/world/a.ts', `import { b } from './b.test.ts'`, ['mock/world/b.test.ts']],
  ['mock/loose.ts', `import { b } from './world/b.ts'`, ['mock/world/b.ts']],
  ['mock/server/a.ts', `export * from '../../scripts/b.mjs'`, ['scripts/b.mjs']],
  ['mock/server/a.ts', `import '../control/b.ts'; import '../../webhooks/c.ts'`, ['webhooks/c.ts']],
  ['contract-tests/run/a.ts', `const b = await import('../../mock/world/b.ts')`, ['mock/world/b.ts']],
  ['contract-tests/run/a.ts', `import { b } from '../self/b.ts'`, ['contract-tests/self/b.ts']],
  ['contract-tests/run/a.test.ts', `import { b } from '../self/b.ts'`, ['contract-tests/self/b.ts']],
  [
    'contract-tests/documented/a.test.ts',
    `import '../../mock/start.ts'; import './testing/b.ts'; import '../run/c.ts'`,
    ['contract-tests/run/c.ts'],
  ],
  [
    'contract-tests/self/a.test.ts',
    `import '../../mock/world/b.ts'; import '../../scripts/c.ts'; import '../run/d.ts'`,
    [],
  ],
  [
    'cli/commands/a.ts',
    `import '../../mock/start.ts'; import '../../contract-tests/run/c.ts'; import '../options/d.ts'`,
    [],
  ],
  ['cli/commands/a.ts', `import '../../contract-tests/self/b.ts'`, ['contract-tests/self/b.ts']],
  ['scripts/bench/a.ts', `import '../../mock/testing/b.ts'; import '../../client/testing.ts'`, []],
  ['scripts/prove/a.ts', `import '../../mock/testing/b.ts'`, ['mock/testing/b.ts']],
  ['client/a.ts', `import '../openapi/b.ts'; import '../mock/start.ts'`, ['mock/start.ts']],
  ['webhooks/a.ts', `import type { B } from '../openapi/b.ts'`, []],
  ['webhooks/a.ts', `import { type B } from '../openapi/b.ts'`, ['openapi/b.ts']],
  ['webhooks/a.ts', `import { b } from '../openapi/b.ts'`, ['openapi/b.ts']],
  ['webhooks/a.ts', `import '../openapi/b.ts'`, ['openapi/b.ts']],
  ['mock/http/a.ts', `// import '../../scripts/b.ts'`, []],
  ['mock/http/a.ts', ` * await import('../../scripts/b.ts')`, []],
  ['mock/http/a.ts', `import {\n  b,\n} from '../../scripts/b.ts'`, ['scripts/b.ts']],
  ['mock/http/a.ts', `const b = await import(\n  '../../scripts/b.ts'\n)`, ['scripts/b.ts']],
] as const)('%s with %s', ([file, source, forbidden]) => {
  expect(findForbidden(file, source.replaceAll('; ', ';\n'))).toEqual(
    forbidden.map((target) => `${file} imports ${target}`),
  );
});
