import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A file of Redoc: in the package it was put beside this one when that was built; the checkout has it as a dependency. */
export function readViewer(file: string): Buffer {
  const own = new URL(file, import.meta.url);
  return readFileSync(
    existsSync(own) ? own : createRequire(import.meta.url).resolve(`redoc/bundles/${file}`),
  );
}
