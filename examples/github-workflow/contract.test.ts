// The workflow: against our action, and its own command for real.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { explainUnknown } from '../../cli/options/environment.ts';
import packageJson from '../../package.json' with { type: 'json' };

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const { jobs }: { jobs: Record<'application' | 'service', { steps: Step[] }> } = parse(read('contract.yml'));

test('it gives our action what that takes', () => {
  const { inputs } = parse(read('../../action.yml'));
  const step = jobs.service.steps.find(({ uses }) => uses?.includes('/sitepub@'));
  expect(step?.uses).toBe(`your-organisation/sitepub@v${packageJson.version}`);
  expect(Object.keys(step?.with ?? {}).filter((name) => !(name in inputs))).toEqual([]);
  expect(explainUnknown(step?.env ?? {})).toBeUndefined();
});

test('the application’s tests find a mock', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sitepub-workflow-'));
  const scripts = { test: 'node -p process.env.SITEPUB_BASE_URL' };
  writeFileSync(join(home, 'package.json'), JSON.stringify({ scripts }));
  const line = jobs.application.steps.at(-1)?.run ?? '';
  const command = fileURLToPath(new URL('../../cli/sitepub.mjs', import.meta.url));
  const script = line.replace('npx sitepub', `'${process.execPath}' '${command}'`);
  try {
    const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd: home });
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/m);
  } finally {
    rmSync(home, { recursive: true });
  }
});
