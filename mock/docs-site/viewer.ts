import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A file of Redoc: the build copies it beside this one; in a checkout it comes from the dependency. */
export function readViewer(file: string): Buffer {
  const copy = new URL(file, import.meta.url);
  return readFileSync(
    existsSync(copy) ? copy : createRequire(import.meta.url).resolve(`redoc/bundles/${file}`),
  );
}
