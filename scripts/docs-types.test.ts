// @module-tag ci
// The TypeScript of README and docs against the sources. Against the package, and with older compilers: package.test.ts.
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import {
  newestCompiler,
  resolutions,
  typeCheck,
  typeScriptBlocks,
  writeBlocks,
} from './testing/type-check-blocks.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('the newest TypeScript has no complaint about any TypeScript of the manual', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-blocks-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  try {
    const files = writeBlocks(folder);
    expect(files.length).toBeGreaterThan(8);
    const ours = {
      paths: sources(),
      allowImportingTsExtensions: true,
      exactOptionalPropertyTypes: true,
      lib: ['esnext'],
      skipLibCheck: true,
    };
    const options = { ...resolutions.nodenext, ...ours };
    expect(await typeCheck(files, folder, { compiler: newestCompiler, options })).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a block is found whatever its language is called', () => {
  const page = '```ts\na\n```\n\n1. x\n   ```typescript title="b"\n   b\n   ```\n';
  expect(typeScriptBlocks(page)).toEqual(['a\n', '   b\n']);
  expect(typeScriptBlocks(readFileSync(join(root, 'README.md'), 'utf8'))).toHaveLength(1);
});

/** Where the entrances of the package stand before anything is built. */
function sources(): Record<string, string[]> {
  const entrances = Object.entries(packageJson.exports).flatMap(([entrance, target]) =>
    typeof target === 'string' ? [] : [[entrance.replace(/^\./, 'sitepub'), target.default] as const],
  );
  const sourceOf = (built: string) => join(root, built.replace('dist/', '').replace(/\.js$/, '.ts'));
  return Object.fromEntries(entrances.map(([entrance, built]) => [entrance, [sourceOf(built)]]));
}
