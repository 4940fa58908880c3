// Builds dist/ (or the named folder), which `npm pack` ships: JavaScript, declarations, and data files beside the code that reads them.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLicence, readViewer } from '../mock/docs-site/viewer.ts';
import { bundleCommand, bundleTypes } from './bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(process.argv[2] ?? join(root, 'dist'));
const dataFiles = [
  'openapi/**/*.{yaml,json}',
  'contract-tests/generated/*.json',
  'profiles/*.yaml',
  'mock/console/page/*.css',
];
const libraries = [
  'preact/{dist/preact.mjs,hooks/dist/hooks.mjs,LICENSE}',
  'htm/{dist/htm.module.js,preact/index.module.js,LICENSE}',
];

process.chdir(root);
rmSync(out, { recursive: true, force: true });
// Only npm writes to standard output, which may be JSON.
for (const project of ['tsconfig.build.json', 'mock/console/page/tsconfig.build.json'])
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--project', project, '--outDir', out], {
    stdio: ['ignore', process.stderr, process.stderr],
  });
for (const file of globSync(dataFiles)) cpSync(file, join(out, file));
writeFileSync(join(out, 'mock/docs-site/scalar.js'), readViewer());
writeFileSync(join(out, 'mock/docs-site/scalar-licence.txt'), readLicence());
for (const name of globSync(libraries, { cwd: 'node_modules' }))
  cpSync(join('node_modules', name), join(out, 'mock/console/libraries', name));
await bundleCommand(out);
await bundleTypes(out);
