// Libraries of a hundred files that most processes do without, loaded at their first use. What uses them is synchronous.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const ajv = lazily(() => require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js'));
export const ajvFormats = lazily(() => require('ajv-formats') as typeof import('ajv-formats'));
export const undici = lazily(() => require('undici') as typeof import('undici'));
export const yaml = lazily(() => require('yaml') as typeof import('yaml'));

function lazily<Library>(load: () => Library): () => Library {
  let library: Library | undefined;
  return () => {
    library ??= load();
    return library;
  };
}
