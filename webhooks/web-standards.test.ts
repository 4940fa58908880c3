// `sitepub/webhooks` must run without Node, so its modules import only each other.
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

test.for(['index.ts', 'express.ts', 'fastify.ts'])('%s loads only modules of this folder', (entrance) => {
  const { files, others } = follow(new URL(entrance, import.meta.url));
  expect(others).toEqual([]);
  expect(files.length).toBeGreaterThan(4);
  for (const file of files) expect(file).toMatch(/\/webhooks\/[a-z-]+\.ts$/);
});

test('the loaded modules use no globals of Node', () => {
  const { files } = follow(new URL('index.ts', import.meta.url));
  for (const file of files)
    expect(readFileSync(new URL(file), 'utf8')).not.toMatch(
      /\b(Buffer|process|global|require|setImmediate)\b/,
    );
});

/** Returns the files and the other modules that a file loads; type imports do not count. */
function follow(entrance: URL): { files: string[]; others: string[] } {
  const files = new Set([entrance.href]);
  const others = new Set<string>();
  for (const file of files)
    for (const specifier of importsOf(readFileSync(new URL(file), 'utf8')))
      if (specifier.startsWith('.')) files.add(new URL(specifier, file).href);
      else others.add(specifier);
  return { files: [...files], others: [...others] };
}

function importsOf(source: string): string[] {
  const options = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ESNext,
    verbatimModuleSyntax: true,
  };
  const { outputText } = ts.transpileModule(source, { compilerOptions: options });
  return ts.preProcessFile(outputText, true, true).importedFiles.map(({ fileName }) => fileName);
}
