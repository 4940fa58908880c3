// @module-tag ci
// What others say of the descriptions: swagger-parser, Redocly's recommended rules, and their own examples.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { contract } from './contract.ts';
import type { Json } from './json.ts';
import { formatPointer, setAt } from './json-pointer.ts';
import { loadProfile, noProfile } from './profile.ts';
import { resolve } from './resolve.ts';
import { profileNames } from './testing/profile-names.ts';

const sources = ['site-publishing.yaml', 'provisional.yaml', 'mock-control.yaml'] as const;

test.each(sources)('swagger-parser and Redocly have nothing to say about %s', async (file) => {
  await expect(SwaggerParser.validate(pathOf(`openapi/${file}`))).resolves.toBeDefined();
  expect(JSON.parse(await lint(`openapi/${file}`)).problems).toEqual([]);
});

const profiles = [noProfile, ...profileNames.map((name) => loadProfile(name))];

test.each(profiles)('swagger-parser takes the description under $name', async (profile) => {
  // It puts what is referred to in place of references, in the description that it is given.
  await expect(SwaggerParser.validate(structuredClone(resolve(profile)) as never)).resolves.toBeDefined();
});

test.each([
  ['mock-control.yaml', 2, contract.descriptions['mock-control.yaml']],
  ...profiles.map((profile) => [profile.name, 18, resolve(profile)] as const),
] as const)('every example of %s is valid', (_name, least, description) => {
  expect(findExamples(description).length).toBeGreaterThanOrEqual(least);
  expect(invalidExamples(description)).toEqual([]);
});

test('an example that is not valid is found, wherever it stands', () => {
  for (const { at } of findExamples(resolve(noProfile))) {
    const description = structuredClone(resolve(noProfile));
    setAt(description, at, { code: 'none' });
    expect(invalidExamples(description)).toEqual([expect.stringContaining(`${at}: `)]);
  }
});

interface Example {
  at: string;
  /** JSON Pointer to the schema that the example belongs to. */
  schema: string;
  value: unknown;
}

/** The examples of media types, parameters and schemas: a list in a schema, a map elsewhere. */
function findExamples(node: unknown, path: readonly string[] = []): Example[] {
  if (typeof node !== 'object' || node === null) return [];
  const { examples = [], ...inside } = node as Json;
  // What is an example of one part of an allOf is one of the whole.
  const schema = formatPointer(inside.schema ? [...path, 'schema'] : path).replace(/(\/allOf\/\d+)+$/, '');
  const own = Object.entries(examples as Json).map(([key, example]) => {
    const at = formatPointer([...path, 'examples', key]);
    if (Array.isArray(examples)) return { at, schema, value: example };
    return { at: `${at}/value`, schema, value: (example as Json).value };
  });
  return [...own, ...Object.entries(inside).flatMap(([key, child]) => findExamples(child, [...path, key]))];
}

function invalidExamples(description: unknown): string[] {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(description as Json, 'judged');
  return findExamples(description).flatMap(({ at, schema, value }) => {
    const isValid = ajv.compile({ $ref: `judged#${encodeURI(schema)}` });
    return isValid(value) ? [] : [`${at}: ${ajv.errorsText(isValid.errors)}`];
  });
}

/** The standard output of Redocly, whatever its exit status: what it found stands in there. */
function lint(file: string): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const args = [pathOf('node_modules/.bin/redocly'), 'lint', file, '--format', 'json'];
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: pathOf('.'), env }, (_error, stdout) => done(stdout));
  });
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(`../${relative}`, import.meta.url));
}
