// Loads large libraries at first use, because most processes do not need them; `import()` would be asynchronous.
import { createRequire } from 'node:module';
import type { Ajv2020, Options } from 'ajv/dist/2020.js';

const require = createRequire(import.meta.url);

const ajv = lazily(() => require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js'));
const ajvFormats = lazily(() => require('ajv-formats') as typeof import('ajv-formats'));
export const undici = lazily(() => require('undici') as typeof import('undici'));
export const yaml = lazily(() => require('yaml') as typeof import('yaml'));

export function lazily<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

export function lazilyFor<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const value = values.get(key) ?? make(key);
    values.set(key, value);
    return value;
  };
}

/** Compiles JSON Schema 2020-12. Errors contain their schemas and values. */
export function createAjv(options: Options = {}): Ajv2020 {
  const compiler = new (ajv().Ajv2020)({
    strict: false,
    allErrors: true,
    verbose: true,
    validateSchema: false,
    // A deployment may name a field "constructor".
    ownProperties: true,
    ...options,
  });
  ajvFormats().default(compiler);
  return compiler;
}
