// The GitHub action: its file against GitHub's schema, and its script against mocks.
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { reportOf, requirementWith } from '../contract-tests/reports/testing.ts';
import { type StartOptions, startMock } from '../mock/start.ts';
import { loadProfile, makeProfile, statedValues } from '../openapi/profile.ts';
import { variableOf } from './options/flags.ts';
import { testFlags } from './options/test-options.ts';
import { type FakeGithub, openFakeGithub } from './output/testing/fake-github.ts';
import { credentialsOf } from './testing.ts';

interface Action {
  inputs: Record<string, { default?: string | number }>;
  runs: { steps: [{ run: string; env: Record<string, string> }] };
}

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const source = readFileSync(new URL('../action.yml', import.meta.url), 'utf8');
const action: Action = parse(source);
const { env, run } = action.runs.steps[0];
/** Without a report to compare with, the step gets no token. */
const tokenExpression = `\${{ inputs.previous-report != '' && github.token || '' }}`;
const folder = mkdtempSync(join(tmpdir(), 'sitepub-action-'));

afterAll(() => rmSync(folder, { recursive: true }));

test('GitHub takes the action', () => {
  expect(validateAction(source).errors).toEqual([]);
  expect(validateAction(source.replace('using: composite', 'using: magic')).errors).not.toEqual([]);
});

test('GitHub takes our own workflow', () => {
  const workflow = readFileSync(new URL('../.github/workflows/ci.yml', import.meta.url), 'utf8');
  expect(validateWorkflow(workflow).errors).toEqual([]);
  expect(validateWorkflow(workflow.replace('runs-on:', 'runs-over:')).errors).not.toEqual([]);
});

test('GitHub takes the workflow of the manual', () => {
  const page = readFileSync(new URL('../docs/github-action.md', import.meta.url), 'utf8');
  const [, workflow = ''] = /```yaml\n(# \.github\/workflows\/.*?)```/s.exec(page) ?? [];
  expect(workflow).toContain('previous-report');
  expect(validateWorkflow(workflow).errors).toEqual([]);
});

test('every input that is a flag reaches the command by its environment variable', () => {
  const others = ['version', 'working-directory', 'previous-report'];
  const flags = Object.keys(action.inputs).filter((name) => !others.includes(name));
  expect(flags.filter((name) => !(name in testFlags))).toEqual([]);
  const variables = flags.map((name) => [variableOf(name), inputOf(name)]);
  expect(env).toEqual({
    ...Object.fromEntries(variables),
    PACKAGE_VERSION: inputOf('version'),
    PREVIOUS_REPORT: inputOf('previous-report'),
    COMMENT_TOKEN: tokenExpression,
  });
});

test('nothing of the inputs is code', () => {
  expect(run).not.toContain('${{');
});

test('a deployment that keeps its promises passes, with a summary, the reports and a baseline to be committed', async () => {
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

test('a deployment that breaks one fails, with an annotation', async () => {
  const { status, stdout, read } = await runAction(
    { faults: ['no-trace-id-on-404'] },
    { only: 'ENV-1,ENV-4', version: 'installed', 'min-verified': '1' },
  );
  expect(status).toBe(1);
  expect(read('output')).toBe('exit-code=1\n');
  expect(stdout).toMatch(/^::error .*ENV-/m);
  expect(stdout).not.toContain('::warning');
  expect(read('npx')).toBe('--no -- sitepub test\n');
});

test('another sitepub is what npm can install, and no name of a registry', async () => {
  const version = './vendor/sitepub 0.2.0.tgz';
  const { status, read } = await runAction({}, { only: 'LOGIN-1', version });
  expect(status).toBe(0);
  expect(read('npx')).toBe(`--yes --package=${version} -- sitepub test\n`);
});

test('a number is no version, since no registry has it', async () => {
  const { status, stdout } = await runAction({}, { version: '0.1.0' });
  expect(stdout).toBe(
    '::error::version is 0.1.0, but sitepub is in no registry; leave version out for the sitepub of this action\n',
  );
  expect(status).toBe(2);
});

test('a baseline that is there holds the step, also where nothing fails', async () => {
  const baseline = JSON.stringify(reportOf({ requirements: [requirementWith('ENV-4', { a: 'passed' })] }));
  const files = { 'contract-baseline.json': baseline.replace('"passed":0', '"passed":1') };
  const inputs = { only: 'LOGIN-1', require: 'LOGIN-1\nENV-7' };
  const { status, stdout, read } = await runAction({}, inputs, { files });
  expect(status).toBe(3);
  expect(stdout).not.toContain('::warning');
  expect(stdout).toMatch(/^::error title=--require.* less was verified::--require: .*\(ENV-7\)$/m);
  expect(stdout).toMatch(/^::error title=--baseline.* less was verified::--baseline: .*\(ENV-4\)$/m);
  expect(() => read('contract-baseline.new.json')).toThrow('ENOENT');
});

test('a baseline that somebody has chosen has to be there', async () => {
  const { status } = await runAction({}, { only: 'LOGIN-1', baseline: 'mine.json' });
  expect(status).toBe(2);
});

test('a notice that fail-on names fails the step, and any other does not', async () => {
  const values = { ...statedValues(loadProfile('default')), 'login.status': 201 };
  const profile = makeProfile(values, { name: 'drifting', source: 'test' });
  const drifting = { profile };
  const named = await runAction(drifting, { only: 'LOGIN-1', 'fail-on': 'late\nlogin.status' });
  const other = await runAction(drifting, { only: 'LOGIN-1', 'fail-on': 'late\nrefresh.status' });
  expect([named.status, other.status]).toEqual([1, 0]);
});

test('what differs from a previous report is a comment on the pull request, and fails nothing', async () => {
  await using github = await openFakeGithub();
  const passed = reportOf({ requirements: [requirementWith('ENV-4', { a: 'passed' })] });
  const files = {
    'before.json': JSON.stringify(passed),
    'event.json': JSON.stringify({ pull_request: { number: 7 } }),
    'unreadable.json': '{}',
  };
  const inputs = { only: 'LOGIN-1', 'previous-report': 'before.json' };
  const { status, read } = await runAction({}, inputs, { files, github });
  expect(status).toBe(0);
  expect(github.comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(/^<!-- sitepub diff .*no longer verified.*ENV-4/s),
  ]);
  expect([...github.tokens]).toEqual(['Bearer ghs_secret']);
  expect(read('summary')).toMatch(/^# .*\n# .*no longer verified/ms);
  github.refuse = [{ method: 'PATCH', refusal: [403] }];
  const forked = await runAction({}, { ...inputs, only: 'LOGIN-1,ENV-1' }, { files, github });
  expect(forked.stdout).toMatch(/^::notice title=No comment on the pull request::/m);
  expect(forked.status).toBe(0);
  for (const [name, notice] of [
    ['absent.json', 'Nothing to compare with'],
    ['unreadable.json', 'No comparison'],
  ] as const) {
    const { status: code, stdout } = await runAction(
      {},
      { ...inputs, 'previous-report': name },
      { files, github },
    );
    expect(stdout).toContain(`::notice title=${notice}::`);
    expect(code).toBe(0);
  }
});

test('the run itself never sees the token, and fails the step as ever', async () => {
  await using github = await openFakeGithub();
  const files = { 'before.json': JSON.stringify(reportOf({})) };
  const inputs = { only: 'ENV-1,ENV-4', 'previous-report': 'before.json', version: 'installed' };
  const { status, read } = await runAction({ faults: ['no-trace-id-on-404'] }, inputs, { files, github });
  expect(status).toBe(1);
  const [ran = '', compared = ''] = read('environments').split('---\n');
  expect(ran).not.toContain('ghs_secret');
  expect(compared).toContain('GITHUB_TOKEN=ghs_secret\n');
});

/** Runs the step's script as a runner does, but nothing is installed, and npx starts the command line of this checkout. */
async function runAction(
  options: StartOptions,
  inputs: Record<string, string>,
  { files = {}, github }: { files?: Record<string, string>; github?: FakeGithub } = {},
) {
  const home = mkdtempSync(join(folder, 'job-'));
  const path = (name: string) => join(home, name);
  const command = join(root, 'scripts/sitepub.mjs');
  const npx = `#!/bin/sh\necho "$@" >> '${path('npx')}'\n(env; echo ---) >> '${path('environments')}'\nwhile [ "$1" != sitepub ]; do shift; done\nshift\nexec '${process.execPath}' '${command}' "$@"\n`;
  writeFileSync(path('npx.sh'), npx);
  chmodSync(path('npx.sh'), 0o755);
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text);
  const mock = await startMock(options);
  const given = valuesOf({ ...inputs, 'base-url': mock.baseUrl, profile: 'default' });
  const job = {
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: root,
    GITHUB_OUTPUT: path('output'),
    GITHUB_STEP_SUMMARY: path('summary'),
    ...(github && {
      GITHUB_API_URL: github.url,
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_EVENT_PATH: path('event.json'),
    }),
    TMPDIR: home,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  };
  const npm = `npm() { echo "$PWD: $@" > '${path('npm')}'; }`;
  const script = `${npm}\nnpx() { '${path('npx.sh')}' "$@"; }\n${run}`;
  const environment = { PATH: String(process.env.PATH), ...credentialsOf(mock), ...given, ...job };
  try {
    return await new Promise<{ status: number; stdout: string; read: (name: string) => string }>(
      (resolve) => {
        // As GitHub starts bash.
        execFile(
          'bash',
          ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script],
          { cwd: home, env: environment },
          (error, stdout) =>
            resolve({
              status: error ? Number(error.code) : 0,
              stdout,
              read: (name) => readFileSync(path(name), 'utf8'),
            }),
        );
      },
    );
  } finally {
    await mock.close();
  }
}

function inputOf(name: string): string {
  return `\${{ inputs.${name} }}`;
}

/** The environment of the step, as a runner fills it. */
function valuesOf(inputs: Record<string, string>): Record<string, string> {
  const fill = (expression: string) => {
    if (expression === tokenExpression) return inputs['previous-report'] ? 'ghs_secret' : '';
    const [, name = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression) ?? [];
    return inputs[name] ?? String(action.inputs[name]?.default ?? '');
  };
  return Object.fromEntries(Object.entries(env).map(([name, expression]) => [name, fill(expression)]));
}
