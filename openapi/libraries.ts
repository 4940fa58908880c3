// Libraries of a hundred files that most starts of the mock do without, loaded at their first use. What uses them is synchronous.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const ajv = lazily<typeof import('ajv/dist/2020.js')>('ajv/dist/2020.js');
export const ajvFormats = lazily<typeof import('ajv-formats')>('ajv-formats');
export const yaml = lazily<typeof import('yaml')>('yaml');

function lazily<Library>(name: string): () => Library {
  let library: Library | undefined;
  return () => {
    library ??= require(name) as Library;
    return library;
  };
}
