// @module-tag ci
import { chmodSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { testFlags } from '../cli/options/deployment-flags.ts';
import { credentialsOf, openMock } from '../cli/testing.ts';
import { reportOf, requirementWith } from '../contract-tests/reports/testing.ts';
import type { StartOptions } from '../mock/start.ts';
import { runProgram } from './testing/run-program.ts';

interface Step {
  run: string;
  env: Record<string, string>;
}

interface Action {
  inputs: Record<string, { default?: string | number }>;
  runs: { steps: [Step, Step] };
}

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const action: Action = parse(readFileSync(new URL('../action.yml', import.meta.url), 'utf8'));
const [{ env, run }, commenting] = action.runs.steps;
const folder = mkdtempSync(join(tmpdir(), 'sitepub-action-'));

test('the workflow in the docs uses only inputs of the action', () => {
  const page = readFileSync(new URL('../docs/guides/ci.md', import.meta.url), 'utf8');
  const [, workflow = ''] = /```yaml\n(# \.github\/workflows\/.*?)```/s.exec(page) ?? [];
  const steps: { uses?: string; with?: object }[] = parse(workflow).jobs.service.steps;
  const given = steps.find(({ uses }) => uses?.includes('/sitepub@'))?.with ?? {};
  expect(Object.keys(given)).toContain('previous-report');
  expect(Object.keys(given).filter((name) => !(name in action.inputs))).toEqual([]);
});

test('passes every input to the flag of the same name', () => {
  const others = ['version', 'working-directory', 'previous-report'];
  const flags = Object.keys(action.inputs).filter((name) => !others.includes(name));
  expect(flags.filter((name) => !(name in testFlags))).toEqual([]);
  const upper = (name: string) => name.toUpperCase().replaceAll('-', '_');
  const variables = flags.map((name) => [testFlags[name]?.variable ?? upper(name), inputOf(name)]);
  const passed = /for name in ([A-Z_\s\\]+); do/.exec(run)?.[1]?.match(/[A-Z_]+/g);
  expect(passed?.sort()).toEqual(
    flags
      .filter((name) => !testFlags[name]?.variable)
      .map(upper)
      .sort(),
  );
  expect(env).toEqual({
    ...Object.fromEntries(variables),
    PACKAGE_VERSION: inputOf('version'),
    PREVIOUS_REPORT: inputOf('previous-report'),
  });
});

test('inputs are never code, and only the comment step gets the token', () => {
  for (const step of action.runs.steps) expect(step.run).not.toContain('${{');
  expect(Object.values(env).join()).not.toContain('token');
  expect(commenting.env.GH_TOKEN).toBe(`\${{ github.token }}`);
});

test('a correct deployment passes, with summary, reports and a new baseline', async () => {
  const { status, stdout, read } = await runAction(
    {},
    { only: 'LOGIN-1\nENV-1', report: 'json=out.json\njunit=out.xml\n' },
  );
  expect(status).toBe(0);
  expect(read('output')).toBe('exit-code=0\n');
  expect(read('summary')).toContain('LOGIN-1');
  expect(stdout).toMatch(/^::warning title=No baseline::/m);
  expect(read('contract-baseline.new.json')).toBe(read('out.json'));
  expect(JSON.parse(read('out.json')).summary).toMatchObject({ passed: 2, failed: 0 });
  expect(read('out.xml')).toContain('<testsuites');
  expect(read('npm')).toBe(`${root}: ci --omit=dev --ignore-scripts --silent\n`);
});

test('a broken promise fails the step with an annotation, also without a previous report', async () => {
  const { status, stdout, read } = await runAction(
    { faults: ['no-trace-id-on-404'] },
    { only: 'ENV-1,ENV-4', version: 'installed', 'min-verified': '1', 'previous-report': 'absent.json' },
  );
  expect(status).toBe(1);
  expect(read('output')).toBe('exit-code=1\n');
  expect(stdout).toMatch(/^::error .*ENV-/m);
  expect(stdout).not.toContain('::warning');
  expect(stdout).toContain('::notice title=Nothing to compare with::');
  expect(read('npx')).toMatch(/^--no -- sitepub test --suite=safe /);
});

test('the command runs with only the packages that the action installs', async () => {
  const checkout = mkdtempSync(join(folder, 'checkout-'));
  const lock: { packages: Record<string, { dev?: boolean; peer?: boolean }> } = parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  const installed = Object.entries(lock.packages).filter(([, { dev, peer }]) => !dev && !peer);
  const rooms = ['cli', 'client', 'contract-tests', 'mock', 'openapi', 'profiles', 'scripts', 'webhooks'];
  for (const path of [...rooms, 'package.json', ...installed.map(([path]) => path).filter(Boolean)])
    cpSync(join(root, path), join(checkout, path), { recursive: true });
  const command = `'${process.execPath}' cli/sitepub.mjs`;
  const steps = `${command} test http://127.0.0.1:9/api/v1 --report json=r.json || ${command} report diff r.json r.json`;
  const account = { SITEPUB_PASSWORD: 'secret', SITEPUB_USERNAME: 'mei' };
  expect(await runStep(steps, { ...process.env, ...account }, checkout)).toMatchObject({ status: 0 });
});

test('refuses a version number, because no registry has sitepub', async () => {
  const { status, stdout } = await runAction({}, { version: '0.1.0' });
  expect(stdout).toBe(
    '::error::version is 0.1.0, but sitepub is not in a registry; leave version out to use the sitepub of this action\n',
  );
  expect(status).toBe(2);
});

const before = JSON.stringify(reportOf({ requirements: [requirementWith('ENV-4', { a: 'passed' })] }));

test('an existing baseline fails the step if less is verified; an unreadable previous report does not', async () => {
  const files = {
    'contract-baseline.json': before.replace('"passed":0', '"passed":1'),
    'previous.json': '{}',
  };
  const version = './vendor/sitepub 0.2.0.tgz';
  const inputs = { only: 'LOGIN-1', require: 'LOGIN-1\nENV-7', version, 'previous-report': 'previous.json' };
  const { status, stdout, read } = await runAction({}, inputs, files);
  expect(status).toBe(3);
  expect(stdout).not.toContain('::warning');
  expect(stdout).toMatch(/^::error title=--require is not met::--require: .*\(ENV-7\)$/m);
  expect(stdout).toMatch(/^::error title=--baseline is not met::--baseline: .*\(ENV-4\)$/m);
  expect(() => read('contract-baseline.new.json')).toThrow('ENOENT');
  expect(read('npx')).toMatch(
    /^--yes --package=\.\/vendor\/sitepub 0\.2\.0\.tgz -- sitepub test --suite=safe /,
  );
  expect(stdout).toContain('::notice title=No comparison::');
  expect(read('output')).toBe('exit-code=3\n');
});

test('comments on differences from a previous report, or prints a notice if GitHub refuses', async () => {
  const inputs = { only: 'LOGIN-1', 'previous-report': 'before.json' };
  const { status, read, comment } = await runAction({}, inputs, { 'before.json': before });
  expect(status).toBe(0);
  expect(read('summary')).not.toContain('no longer verified');
  const { stdout } = await comment('cat > comment; echo "$GH_TOKEN $@" > gh');
  expect(stdout).toBe('');
  expect(read('comment')).toMatch(/^# .*1 no longer verified.*ENV-4/s);
  expect(read('gh')).toBe('ghs_secret pr comment 7 --edit-last --create-if-none --body-file -\n');
  expect(read('summary')).toContain(read('comment'));
  const refused = await comment('cat > comment; return 1');
  expect(refused.stdout).toMatch(/^::notice title=No comment on the pull request::/);
  expect(refused.status).toBe(0);
});

/** Runs the script of the step. npm installs nothing, and npx starts this checkout. */
async function runAction(
  options: StartOptions,
  inputs: Record<string, string>,
  files: Record<string, string> = {},
) {
  const home = mkdtempSync(join(folder, 'job-'));
  const path = (name: string) => join(home, name);
  const read = (name: string) => readFileSync(path(name), 'utf8');
  const command = join(root, 'cli/sitepub.mjs');
  const npx = `#!/bin/sh\necho "$@" >> '${path('npx')}'\nwhile [ "$1" != sitepub ]; do shift; done\nshift\nexec '${process.execPath}' '${command}' "$@"\n`;
  writeFileSync(path('npx.sh'), npx);
  chmodSync(path('npx.sh'), 0o755);
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text);
  await using mock = await openMock(options);
  const given = valuesOf({ ...inputs, 'base-url': mock.baseUrl, profile: 'default' });
  const job = {
    PATH: String(process.env.PATH),
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: root,
    GITHUB_OUTPUT: path('output'),
    GITHUB_STEP_SUMMARY: path('summary'),
    TMPDIR: home,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  };
  const npm = `npm() { echo "$PWD: $@" > '${path('npm')}'; }`;
  const script = `${npm}\nnpx() { '${path('npx.sh')}' "$@"; }\n${run}`;
  const ran = await runStep(script, { ...job, ...credentialsOf(mock), ...given }, home);
  return { ...ran, read, comment };

  /** Runs the next step with this `gh`. */
  async function comment(gh: string) {
    const [, comparison] = /^comparison=(.*)$/m.exec(read('output')) ?? [];
    const values = {
      COMPARISON: comparison,
      PULL_REQUEST: '7',
      GH_REPO: 'acme/shop',
      GH_TOKEN: 'ghs_secret',
    };
    expect(Object.keys(values)).toEqual(Object.keys(commenting.env));
    return runStep(`gh() { ${gh}; }\n${commenting.run}`, { ...job, ...values }, home);
  }
}

function runStep(script: string, env: NodeJS.ProcessEnv, cwd: string) {
  return runProgram('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd, env });
}

function inputOf(name: string): string {
  return `\${{ inputs.${name} }}`;
}

/** The environment of the step, with the values of inputs. */
function valuesOf(inputs: Record<string, string>): Record<string, string> {
  const fill = (expression: string) => {
    const [, name = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression) ?? [];
    return inputs[name] ?? String(action.inputs[name]?.default ?? '');
  };
  return Object.fromEntries(Object.entries(env).map(([name, expression]) => [name, fill(expression)]));
}
