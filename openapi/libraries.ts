// Libraries of a hundred files that most processes do without, loaded at their first use. What uses them is synchronous.
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

/** The same for each object. */
export function lazilyFor<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const value = values.get(key) ?? make(key);
    values.set(key, value);
    return value;
  };
}

/** The one set-up of Ajv: a compiler of JSON Schemas of 2020-12 that reports all errors, with the schemas and values that they are about. */
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
