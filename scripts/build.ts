// Makes dist/, what `npm pack` ships: JavaScript, declarations, and the data files beside the code that reads them.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dataFiles = ['openapi/**/*.{yaml,json}', 'contract-tests/generated/*.json', 'profiles/*.yaml'];

process.chdir(root);
rmSync('dist', { recursive: true, force: true });
// Standard output is left to npm, which may print JSON there.
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json'], {
  stdio: ['ignore', process.stderr, process.stderr],
});
for (const file of globSync(dataFiles)) cpSync(file, `dist/${file}`);
