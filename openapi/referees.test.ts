// @module-tag ci
// What others say of the descriptions: swagger-parser, Redocly's recommended rules, and their own examples.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { contract } from './contract.ts';
import type { Json } from './json.ts';
import { formatPointer } from './json-pointer.ts';
import { loadProfile, noProfile, type Profile } from './profile.ts';
import { resolve } from './resolve.ts';

const root = new URL('..', import.meta.url);
const sources = ['site-publishing.yaml', 'provisional.yaml', 'mock-control.yaml'] as const;
const profiles: readonly Profile[] = [
  noProfile,
  ...readdirSync(new URL('profiles/', root)).map((file) => loadProfile(file.replace('.yaml', ''))),
];

test.each(sources)('swagger-parser takes %s', async (file) => {
  await expect(SwaggerParser.validate(pathOf(`openapi/${file}`))).resolves.toBeDefined();
});

// What provisional.yaml has of examples stands in site-publishing.yaml, to which it refers.
test.each([
  ['site-publishing.yaml', 19],
  ['provisional.yaml', 0],
  ['mock-control.yaml', 2],
] as const)('every example in %s is valid', (file, least) => {
  expect(findExamples(contract.descriptions[file]).length).toBeGreaterThanOrEqual(least);
  expect(invalidExamples(contract.descriptions[file])).toEqual([]);
});

describe.each(profiles.map((profile) => [profile.name, profile] as const))(
  'under the profile %s',
  (_name, profile) => {
    test('swagger-parser takes the resolved description', async () => {
      // It puts what is referred to in place of references, in the description that it is given.
      await expect(SwaggerParser.validate(structuredClone(resolve(profile)) as never)).resolves.toBeDefined();
    });

    test('every example is valid', () => {
      const description = resolve(profile);
      expect(findExamples(description).length).toBeGreaterThanOrEqual(18);
      expect(invalidExamples(description)).toEqual([]);
    });
  },
);

test('an example that is not valid is found, wherever it stands', () => {
  const text = JSON.stringify(resolve(noProfile));
  for (const index of findExamples(JSON.parse(text)).keys()) {
    const description: unknown = JSON.parse(text);
    const example = findExamples(description)[index];
    example?.replace({ code: 'none' });
    expect(invalidExamples(description)).toEqual([expect.stringContaining(`${example?.at}: `)]);
  }
});

test.each(sources)('Redocly has nothing to say about %s', async (file) => {
  const output = await run('redocly', ['lint', `openapi/${file}`, '--format', 'json']);
  expect(JSON.parse(output).problems).toEqual([]);
});

interface Example {
  at: string;
  /** JSON Pointer to the schema that the example belongs to. */
  schema: string;
  value: unknown;
  replace(value: unknown): void;
}

/** The examples of media types, parameters and schemas: a list in a schema, a map or a single one elsewhere. */
function findExamples(description: unknown): Example[] {
  const found: Example[] = [];
  const visit = (node: unknown, path: readonly string[]) => {
    if (typeof node !== 'object' || node === null) return;
    const part = node as Json;
    // What is an example of one part of an allOf is one of the whole.
    const schema = formatPointer(part.schema ? [...path, 'schema'] : path).replace(/(\/allOf\/\d+)+$/, '');
    for (const [holder, key, at] of placesOfExamples(part, path)) {
      const replace = (value: unknown) => Object.assign(holder, { [key]: value });
      found.push({ at: formatPointer(at), schema, value: holder[key], replace });
    }
    const inside = Object.entries(part).filter(([key]) => key !== 'example' && key !== 'examples');
    for (const [key, child] of inside) visit(child, [...path, key]);
  };
  visit(description, []);
  return found;
}

type Place = readonly [holder: Json, key: string, at: readonly string[]];

function placesOfExamples(part: Json, path: readonly string[]): Place[] {
  const examples = (part.examples ?? {}) as Json;
  const single: Place[] = 'example' in part ? [[part, 'example', [...path, 'example']]] : [];
  const several = Object.entries(examples).map(([key, example]): Place => {
    const at = [...path, 'examples', key];
    return Array.isArray(examples) ? [examples, key, at] : [example as Json, 'value', at];
  });
  return [...single, ...several];
}

function invalidExamples(description: unknown): string[] {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  const base = 'https://sitepub.example/';
  ajv.addSchema(contract.descriptions['site-publishing.yaml'] as Json, `${base}site-publishing.yaml`);
  ajv.addSchema(description as Json, `${base}judged.yaml`);
  return findExamples(description).flatMap(({ at, schema, value }) => {
    const isValid = ajv.compile({ $ref: `${base}judged.yaml#${encodeURI(schema)}` });
    return isValid(value) ? [] : [`${at}: ${ajv.errorsText(isValid.errors)}`];
  });
}

/** The standard output of a linter, whatever its exit status: what it found stands in there. */
function run(command: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const script = pathOf(`node_modules/.bin/${command}`);
  return new Promise((done) => {
    execFile(process.execPath, [script, ...args], { cwd: pathOf('.'), env }, (_error, stdout) =>
      done(stdout),
    );
  });
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, root));
}
