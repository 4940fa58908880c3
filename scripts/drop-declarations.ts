// Keeps of the built declarations those that the entrances of the package reach. Nobody can import the others.
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import packageJson from '../package.json' with { type: 'json' };

/** Deletes the declarations below the built folder that no `types` of `exports` leads to. */
export function dropDeclarations(dist: string): void {
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
    if (typeof entrance === 'object') visit(join(dist, entrance.types.replace('./dist/', '')));
  for (const file of globSync(join(dist, '**/*.d.ts'))) if (!reached.has(file)) rmSync(file);
}
