// Which top-level folder may import which, as CONTRIBUTING.md says.
import { dirname, join } from 'node:path/posix';
import ts from 'typescript';

const allowed: Record<string, readonly string[]> = {
  openapi: [],
  'index.ts': ['openapi'],
  client: ['openapi'],
  webhooks: ['openapi'],
  mock: ['openapi'],
  'contract-tests': ['openapi'],
  'contract-tests/self': ['openapi', 'client', 'mock', 'webhooks', 'contract-tests', 'scripts'],
  scripts: ['openapi', 'client', 'mock', 'webhooks', 'contract-tests'],
  'scripts/prove': [
    'openapi',
    'client',
    'mock',
    'webhooks',
    'contract-tests',
    'contract-tests/self',
    'scripts',
  ],
};

/** The imports of one file that break the rule. Paths are relative to the root of the repository. */
export function findForbiddenImports(file: string, source: string): string[] {
  const from = areaOf(file);
  return ts
    .preProcessFile(source, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => join(dirname(file), specifier))
    .filter((target) => !mayImport(from, areaOf(target)))
    .map((target) => `${file} imports ${target}`);
}

function mayImport(from: string, to: string) {
  return from === to || !(to in allowed) || (allowed[from] ?? Object.keys(allowed)).includes(to);
}

function areaOf(file: string) {
  if (file.startsWith('contract-tests/self/')) return 'contract-tests/self';
  if (file.startsWith('scripts/prove/')) return 'scripts/prove';
  return file.split('/')[0] ?? '';
}
