import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findForbiddenImports } from './import-rule.ts';

const root = new URL('..', import.meta.url);

test('no file imports what its folder may not', () => {
  const files = globSync(
    ['index.ts', '{openapi,client,webhooks,mock,contract-tests,scripts}/**/*.{ts,mjs}'],
    { cwd: root },
  );
  const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
  expect(files.flatMap((file) => findForbiddenImports(file, read(file)))).toEqual([]);
});

test.for([
  ['openapi/a.ts', `import { b } from './resolve/b.ts'`, []],
  ['openapi/resolve/a.ts', `import { b } from '../b.ts'`, []],
  ['openapi/a.ts', `import { b } from '../mock/b.ts'`, ['mock/b.ts']],
  ['openapi/a.ts', `import ajv from 'ajv'; import fs from 'node:fs'`, []],
  ['mock/a.ts', `import { b } from '../openapi/b.ts'`, []],
  ['mock/a.ts', `import type { B } from '../contract-tests/b.ts'`, ['contract-tests/b.ts']],
  ['mock/deep/a.ts', `export * from '../../scripts/b.mjs'`, ['scripts/b.mjs']],
  ['contract-tests/a.ts', `import '../openapi/b.ts'`, []],
  ['contract-tests/a.ts', `const b = await import('../mock/b.ts')`, ['mock/b.ts']],
  ['contract-tests/a.ts', `import { b } from './self/b.ts'`, ['contract-tests/self/b.ts']],
  ['contract-tests/checks/a.ts', `type B = import('../../mock/b.ts').B`, ['mock/b.ts']],
  [
    'contract-tests/self/a.test.ts',
    `import '../../mock/b.ts'; import '../../scripts/c.ts'; import '../d.ts'`,
    [],
  ],
  ['scripts/a.ts', `import '../mock/b.ts'; import '../contract-tests/c.ts'; import '../openapi/d.ts'`, []],
  ['scripts/a.ts', `import '../contract-tests/self/b.ts'`, ['contract-tests/self/b.ts']],
  ['client/a.ts', `import '../openapi/b.ts'; import '../mock/c.ts'`, ['mock/c.ts']],
  ['webhooks/a.ts', `import '../openapi/b.ts'; import '../client/c.ts'`, ['client/c.ts']],
  ['mock/a.ts', `import '../webhooks/b.ts'`, ['webhooks/b.ts']],
  ['mock/a.ts', `// import '../scripts/b.ts'`, []],
] as const)('%s with %s', ([file, source, forbidden]) => {
  expect(findForbiddenImports(file, source)).toEqual(forbidden.map((target) => `${file} imports ${target}`));
});
