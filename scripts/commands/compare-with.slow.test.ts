// `sitepub test --compare-with`: the same run against two mocks, side by side.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../contract-tests/reports/report.ts';
import { type StartedMock, type StartOptions, startMock } from '../../mock/start.ts';
import { credentialsOf, openCommand, requestsOf } from '../testing.ts';

const { folder, run, start, remove } = openCommand();

afterAll(remove);

async function open(options: StartOptions = {}) {
  const mock = await startMock({ profile: 'default', ...options });
  return { ...mock, [Symbol.asyncDispose]: () => mock.close() };
}

const argsFor = (mock: StartedMock, other: StartedMock, more: readonly string[] = []) => [
  ...['test', '--base-url', mock.baseUrl, '--compare-with', other.baseUrl, '--profile', 'default'],
  ...more,
];
const steered = (mock: StartedMock, other: StartedMock) => [
  ...['--control-url', mock.controlUrl, '--compare-control-url', other.controlUrl],
];

test('a fault of the one is exactly what differs, in every form', async () => {
  await using mock = await open({ faults: ['no-trace-id-on-404'] });
  await using other = await open();
  const path = (name: string) => join(folder, name);
  const formats = ['json', 'html', 'markdown', 'junit'];
  const reports = ['--report', ...formats.map((one) => `${one}=${path(one)}`)];
  const more = [...steered(mock, other), ...reports, '--compare-report', `json=${path('other')}`];
  const { status, stdout, stderr } = await run(argsFor(mock, other, more), credentialsOf(mock));
  expect(stderr).toContain(`now the same run against ${other.baseUrl}, to compare with`);
  const report: Report = JSON.parse(readFileSync(path('json'), 'utf8'));
  const of: Report = JSON.parse(readFileSync(path('other'), 'utf8'));
  expect(of.target.base_url).toBe(other.baseUrl);
  expect(of.compared_with).toBeUndefined();
  const { differences, outcomes, aborted, target } = report.compared_with ?? {};
  expect({ aborted, target }).toEqual({ aborted: null, target: of.target });
  const changed = outcomes?.filter((one) => one.other !== one.this);
  expect(changed).toEqual([{ id: 'ENV-1', other: 'passed', this: 'failed' }]);
  // On a busy machine times differ, too.
  const { regressed, times: _, ...rest } = differences ?? {};
  expect(regressed?.map(({ id }) => id)).toEqual(['ENV-1']);
  const none = { no_longer_verified: [], newly_failed: [], still_failing: [], newly_passed: [], gaps: [] };
  expect(rest).toEqual({ ...none, notices: { new: [], gone: [] } });
  expect(stdout).toContain('\nHolds at the other deployment, and fails at this one:\n✗ ENV-1 ');
  expect(stdout).toContain('passed at the other, failed at this one; ');
  expect(stdout).toContain('\n1 failing at this deployment alone\n');
  for (const one of ['html', 'markdown'])
    expect(readFileSync(path(one), 'utf8')).toContain('Holds at the other deployment, and fails at this one');
  expect(status).toBe(1);
});

test('what fails at the other one alone costs nothing', async () => {
  await using mock = await open();
  await using other = await open({ faults: ['no-trace-id-on-404'] });
  const more = ['--only', 'ENV-1,ENV-4,LOGIN-1', '--fail-on', 'late'];
  const { status, stdout } = await run(argsFor(mock, other, more), credentialsOf(mock));
  expect(stdout).toContain(
    'Verified at this deployment, and fails or was not verified at the other:\n✓ ENV-1 ',
  );
  expect(status).toBe(0);
});

test('two profiles: what each deployment was observed to do is told', async () => {
  await using mock = await open();
  await using other = await open({ profile: 'nested-201-uuid' });
  const more = ['--compare-profile', 'nested-201-uuid', '--only', 'LOGIN-1,ENV-1'];
  const { status, stdout } = await run(argsFor(mock, other, more), credentialsOf(mock));
  expect(stdout).toMatch(/\nObserved otherwise at this deployment:\n(?:.*\n)*?~ login\.token /);
  expect(stdout).toMatch(/profile default .*\n.*|profile nested-201-uuid/);
  expect(status).toBe(0);
});

test('a profile that fits the one alone is told, with the flag for the other', async () => {
  await using mock = await open();
  await using other = await open({ profile: 'always-200-camel-case' });
  const { status, stderr } = await run(argsFor(mock, other), credentialsOf(mock));
  expect(stderr).toMatch(/^sitepub: --compare-with: the profile's login\.token .*--compare-profile/m);
  expect(status).toBe(2);
});

test('credentials are those of the other alone, or all the same', async () => {
  await using mock = await open();
  await using other = await open({ seed: 7 });
  const [user] = other.tenants[0]?.users ?? [];
  const theirs = {
    SITEPUB_COMPARE_USERNAME: String(user?.username),
    SITEPUB_COMPARE_PASSWORD: String(user?.password),
    SITEPUB_COMPARE_SITE_ID: String(other.tenants[0]?.sites[0]?.id),
  };
  const environment = { ...credentialsOf(mock), ...theirs };
  const { status, stderr } = await run(argsFor(mock, other, ['--only', 'LOGIN-1']), environment);
  expect(stderr).not.toContain('SITEPUB_');
  expect(status).toBe(0);
  const half = await run(argsFor(mock, other), { ...environment, SITEPUB_COMPARE_PASSWORD: '' });
  expect(half.stderr).toContain(
    'SITEPUB_COMPARE_USERNAME is set and SITEPUB_COMPARE_PASSWORD is not; set both',
  );
  expect(half.status).toBe(2);
});

test('no report shows a secret of either deployment, whichever of them tells it', async () => {
  await using mock = await open();
  await using other = await open({ seed: 7 });
  const [key = '', theirs = ''] = [mock, other].map(({ tenants }) => tenants[0]?.apiKey);
  const message = `keys ${key} and ${theirs}`;
  for (const { control } of [mock, other])
    control.override({ operation: 'createSubscription', status: 404, body: { code: 1, message } });
  const path = (name: string) => join(folder, `secrets-${name}`);
  const formats = ['json', 'html', 'markdown', 'junit'];
  const of = (flag: string) => [flag, ...formats.map((one) => `${one}=${path(one + flag)}`)];
  const [user] = other.tenants[0]?.users ?? [];
  const { stdout, stderr } = await run(
    argsFor(mock, other, [
      ...of('--report'),
      ...of('--compare-report'),
      '--har',
      path('har'),
      '--only',
      'ENV-1,HOOK-4',
    ]),
    {
      ...credentialsOf(mock),
      SITEPUB_API_KEY: key,
      SITEPUB_COMPARE_USERNAME: String(user?.username),
      SITEPUB_COMPARE_PASSWORD: String(user?.password),
      SITEPUB_COMPARE_SITE_ID: String(other.tenants[0]?.sites[0]?.id),
      SITEPUB_COMPARE_API_KEY: theirs,
    },
  );
  const names = ['--report', '--compare-report'].flatMap((flag) => formats.map((one) => path(one + flag)));
  const texts = [...names, path('har')].map((file) => readFileSync(file, 'utf8'));
  const said = [...texts, stdout, stderr].join('\n');
  expect(said).toContain('keys {SITEPUB_API_KEY} and {SITEPUB_COMPARE_API_KEY}');
  expect([said.includes(key), said.includes(theirs)]).toEqual([false, false]);
  // A curl line must not send the password of the one to the other.
  const { token_line: line } = JSON.parse(readFileSync(path('json--compare-report'), 'utf8')) as Report;
  expect(line).toContain('"$SITEPUB_COMPARE_PASSWORD"');
});

test.for<[string, (other: StartedMock) => Record<string, string>, string[], number, RegExp]>([
  [
    'wrong credentials',
    () => ({ SITEPUB_COMPARE_USERNAME: 'x', SITEPUB_COMPARE_PASSWORD: 'y' }),
    [],
    2,
    /^sitepub: --compare-with: .*; check SITEPUB_COMPARE_USERNAME and SITEPUB_COMPARE_PASSWORD.*; nothing was created at either deployment/m,
  ],
  [
    'nobody there',
    () => ({}),
    ['--compare-with', 'http://127.0.0.1:9/api/v1'],
    3,
    /^sitepub: --compare-with: .*can't be reached.*; check --compare-with/m,
  ],
  [
    'no URL',
    () => ({}),
    ['--compare-with', 'staging'],
    2,
    /--compare-with is "staging"; expected an http or https URL/,
  ],
  [
    'one path for two reports',
    () => ({}),
    ['--report', 'json=/tmp/x.json', '--compare-report', 'json=/tmp/x.json'],
    2,
    /--compare-report: two reports go to \/tmp\/x\.json/,
  ],
])('with %s at the other one, nothing is created at either', async ([, environment, more, code, want]) => {
  await using mock = await open();
  await using other = await open();
  const { status, stderr } = await run(argsFor(mock, other, more), {
    ...credentialsOf(mock),
    ...environment(other),
  });
  expect(stderr).toMatch(want);
  expect(status).toBe(code);
  expect(requestsOf(mock)).toEqual([]);
});

test('a flag for the comparison alone is a mistake', async () => {
  await using mock = await open();
  const args = ['test', '--base-url', mock.baseUrl, '--compare-profile', 'default'];
  const { status, stderr } = await run(args, credentialsOf(mock));
  expect(stderr).toContain('--compare-profile is given and --compare-with is not');
  expect(status).toBe(2);
});

test('a journal of an earlier comparison is kept', async () => {
  await using mock = await open();
  await using other = await open();
  const journal = join(folder, 'kept.jsonl');
  writeFileSync(`${journal}.compare`, 'what an earlier run has left\n');
  const { status, stderr } = await run(argsFor(mock, other, ['--journal', journal]), credentialsOf(mock));
  expect(stderr).toContain(`--journal: ${journal}.compare holds something already`);
  expect(status).toBe(2);
  expect(requestsOf(mock)).toEqual([]);
});

test('a dry run plans both', async () => {
  await using mock = await open();
  await using other = await open();
  const { status, stdout } = await run(argsFor(mock, other, ['--dry-run']), credentialsOf(mock));
  expect(stdout.match(/^sitepub test --dry-run {2}http:.*$/gm)).toHaveLength(2);
  expect(status).toBe(0);
  expect([...requestsOf(mock), ...requestsOf(other)]).toEqual([]);
});

test('an interruption of the second run leaves the report of the first, and nothing behind', async () => {
  await using mock = await open();
  await using other = await open();
  const path = join(folder, 'interrupted.json');
  const more = ['--report', `json=${path}`, '--max-wait', '30s', '--only', 'LOGIN-1,RETRY-1,HOOK-1'];
  const child = start(argsFor(mock, other, more), credentialsOf(mock));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.includes('now the same run against') && !said.includes('interrupted')) {
      said += 'interrupted';
      setTimeout(() => child.kill('SIGINT'), 1_500);
    }
  });
  child.stdout.resume();
  const status = await new Promise((resolve) => child.on('exit', resolve));
  expect(status).toBe(130);
  expect(said).not.toContain('deletes what is left');
  const report: Report = JSON.parse(readFileSync(path, 'utf8'));
  expect(report.summary.passed).toBeGreaterThan(0);
  expect(report.aborted).toBeNull();
  expect(report.compared_with).toMatchObject({ aborted: { kind: 'interrupted' }, differences: null });
});

test('where the second deployment goes away, nothing was compared, and that is not green', async () => {
  await using mock = await open();
  const other = await startMock({ profile: 'default' });
  const more = ['--max-wait', '30s', '--only', 'LOGIN-1,HOOK-1'];
  const child = start(argsFor(mock, other, more), credentialsOf(mock));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('now the same run against')) void other.close();
    said += text;
  });
  child.stdout.resume();
  const status = await new Promise((resolve) => child.on('exit', resolve));
  expect(said).toContain(
    `sitepub: nothing was compared, since the run against ${other.baseUrl} ended early: `,
  );
  expect(status).toBe(3);
});
