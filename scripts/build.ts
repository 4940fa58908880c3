// Builds dist/ (or the given folder) for `npm pack`: JavaScript without comments, declarations with comments, and data files beside their code.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import ts from 'typescript';
import { readLicence, readViewer } from '../mock/docs-site/viewer.ts';
import packageJson from '../package.json' with { type: 'json' };
import { bundlePackage } from './bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(process.argv[2] ?? join(root, 'dist'));
const dataFiles = [
  'openapi/**/*.{yaml,json}',
  'contract-tests/{generated/*.json,learn/*.yaml}',
  'profiles/*.yaml',
  'mock/console/page/*.{css,html}',
];

process.chdir(root);
rmSync(out, { recursive: true, force: true });
// Only the second call checks the types.
compile('tsconfig.build.json', '--declaration', 'false', '--removeComments', '--noCheck');
compile('tsconfig.build.json', '--emitDeclarationOnly');
dropDeclarations();
for (const file of globSync(dataFiles)) cpSync(file, join(out, file));
writeFileSync(join(out, 'mock/docs-site/scalar.js.br'), brotliCompressSync(readViewer()));
writeFileSync(join(out, 'mock/docs-site/scalar-licence.txt'), readLicence());
await bundlePackage(out);

function compile(project: string, ...flags: string[]): void {
  const compiler = 'node_modules/typescript-7/bin/tsc';
  execFileSync(process.execPath, [compiler, '--project', project, '--outDir', out, ...flags], {
    // Standard output is reserved for npm, which may print JSON there.
    stdio: ['ignore', process.stderr, process.stderr],
  });
}

/** Deletes declarations that no export of the package reaches. */
function dropDeclarations(): void {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
    for (const { fileName } of importedFiles) {
      const imported = resolve(file, '..', fileName.replace(/\.[jt]s$/, '.d.ts'));
      if (fileName.startsWith('.') && existsSync(imported)) visit(imported);
    }
  };
  for (const entrance of Object.values(packageJson.exports))
    if (typeof entrance === 'object') visit(join(out, entrance.types.replace('./dist/', '')));
  for (const file of globSync(join(out, '**/*.d.ts'))) if (!reached.has(file)) rmSync(file);
}
