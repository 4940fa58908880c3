// What others say of the descriptions: swagger-parser, Redocly's and Spectral's recommended rules, and their own examples.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { formatPointer } from './json-pointer.ts';
import { loadProfile, noProfile, type Profile } from './profile.ts';
import type { Json } from './registers.ts';
import { type Description, resolve } from './resolve.ts';

const root = new URL('..', import.meta.url);
const sources = ['site-publishing.yaml', 'provisional.yaml', 'mock-control.yaml'];
const profiles: readonly Profile[] = [
  noProfile,
  ...readdirSync(new URL('profiles/', root)).map((file) => loadProfile(file.replace('.yaml', ''))),
];

test.each(sources)('swagger-parser takes %s', async (file) => {
  await expect(SwaggerParser.validate(pathOf(`openapi/${file}`))).resolves.toBeDefined();
});

describe.each(profiles.map((profile) => [profile.name, profile] as const))(
  'under the profile %s',
  (_name, profile) => {
    test('swagger-parser takes the resolved description', async () => {
      await expect(SwaggerParser.validate(resolve(profile) as never)).resolves.toBeDefined();
    });

    test('every example is valid', () => {
      const description = resolve(profile);
      const found = examplesIn(description);
      expect(found.length).toBeGreaterThan(10);
      expect(found.flatMap((example) => mismatchesOf(description, example))).toEqual([]);
    });
  },
);

test('an example that is not valid is found', () => {
  const description = resolve(noProfile);
  const [first] = examplesIn(description);
  expect(
    mismatchesOf(description, { schema: first?.schema ?? '', value: { username: 1 }, at: 'here' }),
  ).not.toEqual([]);
});

test.each(sources)('Redocly has nothing to say about %s', async (file) => {
  const output = await run('redocly', ['lint', `openapi/${file}`, '--format', 'json']);
  expect(JSON.parse(output).problems).toEqual([]);
});

test('Spectral has nothing to say about the descriptions', async () => {
  const output = await run('spectral', [
    'lint',
    ...sources.map((file) => `openapi/${file}`),
    '--format',
    'json',
  ]);
  expect(JSON.parse(output.slice(0, output.lastIndexOf(']') + 1))).toEqual([]);
});

interface Example {
  at: string;
  /** JSON Pointer to the schema that the example belongs to. */
  schema: string;
  value: unknown;
}

/** The named examples of media types, and those that stand in schemas. */
function examplesIn(description: Description): Example[] {
  const found: Example[] = [];
  const visit = (node: unknown, path: readonly string[]) => {
    if (typeof node !== 'object' || node === null) return;
    const part = node as Json;
    const at = formatPointer(path);
    if (Array.isArray(part.examples)) {
      found.push(...part.examples.map((value) => ({ at, schema: at, value })));
    } else if (part.schema && part.examples) {
      const named = Object.values(part.examples as Record<string, Json>);
      found.push(...named.map(({ value }) => ({ at, schema: `${at}/schema`, value })));
    }
    for (const [key, child] of Object.entries(part)) if (key !== 'examples') visit(child, [...path, key]);
  };
  visit(description, []);
  return found;
}

function mismatchesOf(description: Description, { at, schema, value }: Example): string[] {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(description, 'description');
  const isValid = ajv.compile({ $ref: `description#${encodeURI(schema)}` });
  return isValid(value) ? [] : [`${at}: ${ajv.errorsText(isValid.errors)}`];
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
