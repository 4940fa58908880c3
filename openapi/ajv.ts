// The one set-up of Ajv, which is loaded at its first use: most starts of the mock do without.
import type { Ajv2020, Options } from 'ajv/dist/2020.js';
import { ajv, ajvFormats } from './libraries.ts';

/** A compiler of JSON Schemas of 2020-12 that reports all errors, with the schemas and values that they are about. */
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
