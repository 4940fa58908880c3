// @module-tag ci
// Runs the scripts of the example as its users do, with the command and the modules of this checkout.
import { exec } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from './package.json' with { type: 'json' };

const { describe: write, check, call } = packageJson.scripts;
const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
let folder: string;
const run = (script: string) => promisify(exec)(script, { cwd: folder });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sitepub-pactum-'));
  for (const file of ['package.json', 'publishing.spec.ts']) copyFileSync(pathOf(file), join(folder, file));
  symlinkSync(pathOf('../../node_modules'), join(folder, 'node_modules'));
  await run(write);
});

afterAll(() => rmSync(folder, { recursive: true }));

test('the tests fit the generated types', async () => {
  expect(await run(check)).toEqual({ stdout: '', stderr: '' });
});

test('the tests pass', async () => {
  expect((await run(call)).stdout).toContain('pass 3');
});

test('the tests notice a broken promise', async () => {
  const broken = call.replace('exec', 'exec --fault eleventh-login-taken');
  await expect(run(broken)).rejects.toMatchObject({
    stdout: expect.stringContaining('HTTP status 200 !== 429'),
  });
});
