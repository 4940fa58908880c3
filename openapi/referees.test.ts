// @module-tag ci
// Validates the descriptions with swagger-parser and Redocly's recommended rules, which also check examples.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, test } from 'vitest';
import { loadProfile, noProfile } from './profile.ts';
import { resolve } from './resolve.ts';
import { profileNames } from './testing/profile-names.ts';

const sources = ['site-publishing.yaml', 'provisional.yaml', 'mock-control.yaml'] as const;

test.each(sources)('swagger-parser and Redocly accept %s', async (file) => {
  await expect(SwaggerParser.validate(pathOf(`openapi/${file}`))).resolves.toBeDefined();
  expect(JSON.parse(await lint(`openapi/${file}`)).problems).toEqual([]);
});

const profiles = [noProfile, ...profileNames.map((name) => loadProfile(name))];

test.each(profiles)('swagger-parser accepts the description under $name', async (profile) => {
  // It replaces the references in its argument.
  await expect(SwaggerParser.validate(structuredClone(resolve(profile)) as never)).resolves.toBeDefined();
});

/** Returns the standard output of Redocly, which has its findings, with any exit status. */
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
