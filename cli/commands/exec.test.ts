import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type StartOptions, startMock } from '../../mock/start.ts';
import { runModule } from '../../scripts/testing/run-program.ts';
import { openCommand } from '../testing.ts';

const { folder, runHere } = openCommand();
const file = join(folder, 'seen.json');

async function open(options: StartOptions = {}) {
  const mock = await startMock({ clock: 'manual', ...options });
  onTestFinished(() => mock.close());
  const here = { SITEPUB_CONTROL_URL: mock.controlUrl, SEEN_FILE: file };
  const exec = (args: readonly string[], environment: Record<string, string> = {}) =>
    runHere(['exec', '--in-running-mock', ...args], { ...here, ...environment });
  return { mock, exec };
}

/** Writes what the command sees, and exits with 7. */
const look = [
  process.execPath,
  '--input-type=module',
  '-e',
  `import { writeFileSync } from 'node:fs';
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('SITEPUB_')));
  const headers = { authorization: 'Bearer ' + env.SITEPUB_CONTROL_TOKEN };
  const root = env.SITEPUB_CONTROL_URL.replace(/\\/w\\/[^/]+/, '');
  const statuses = [];
  for (const url of [env.SITEPUB_CONTROL_URL, root]) statuses.push((await fetch(url + '/health', { headers })).status);
  const sites = await fetch(env.SITEPUB_BASE_URL + '/tenant/sites', { headers: { authorization: 'Bearer ' + env.SITEPUB_API_KEY } });
  writeFileSync(process.env.SEEN_FILE, JSON.stringify({ env, statuses, sites: sites.status }));
  process.exit(7);`,
];

function seen() {
  return JSON.parse(readFileSync(file, 'utf8')) as {
    env: Record<string, string>;
    statuses: number[];
    sites: number;
  };
}

test('creates a world for the command, and deletes it afterwards', async () => {
  const { mock, exec } = await open({ clock: 'real' });
  const told: unknown[] = [];
  mock.worlds.watch((notes) => told.push(...notes));
  expect((await exec(['--clock', 'manual', '--seed', '9', '--', ...look])).status).toBe(7);
  const { env, sites, statuses } = seen();
  const name = /\/w\/(exec-[0-9a-f]{12})\/api\/v1$/.exec(env.SITEPUB_BASE_URL ?? '')?.[1];
  expect(env).toMatchObject({
    SITEPUB_CONTROL_URL: mock.controlUrl.replace('/_mock', `/w/${name}/_mock`),
    SITEPUB_USERNAME: 'mei@harbour-cafe.example',
    SITEPUB_OTHER_SITE_ID: '201',
    SITEPUB_API_KEY: expect.stringMatching(/^sp_/),
  });
  expect([env.SITEPUB_API_KEY === mock.tenants[0]?.apiKey, env.SITEPUB_PROFILE]).toEqual([false, undefined]);
  expect([sites, statuses]).toEqual([200, [200, 200]]);
  expect(told).toMatchObject([
    { world: name, change: 'begun', at: '2026-01-01T00:00:00.000Z', expires_at: expect.any(String) },
    { type: 'request', world: name, status: 200 },
    { world: name, change: 'ended' },
  ]);
  expect(mock.worlds.list()).toHaveLength(1);
});

test('passes a token that is valid only for that world', async () => {
  const { mock, exec } = await open({ controlToken: 'of-the-mock' });
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, 'of-the-mock\n');
  expect((await exec(['--', ...look], { SITEPUB_CONTROL_TOKEN_FILE: tokenFile })).status).toBe(7);
  const { env, statuses } = seen();
  expect(statuses).toEqual([200, 401]);
  expect([env.SITEPUB_CONTROL_TOKEN, env.SITEPUB_CONTROL_TOKEN_FILE]).toEqual([
    expect.stringMatching(/^[0-9a-f]{48}$/),
    undefined,
  ]);
  expect(mock.worlds.list()).toHaveLength(1);
});

test('applies profile, tenants and faults to the world', async () => {
  const { mock, exec } = await open();
  const world = join(folder, 'acme.yaml');
  const site = '{ id: 1892345678901234567, name: Shop }';
  writeFileSync(world, `tenants: [{ name: Acme, api_keys: [{ key: sp_a }], sites: [${site}] }]`);
  let during: unknown;
  mock.worlds.watch(([note]) => {
    if (note?.type === 'world' && note.change === 'begun') during = mock.worlds.list()[1]?.profile;
  });
  const flags = ['--profile', 'always-200-camel-case', '--world', world, '--fault', 'third-retry-missing'];
  expect((await exec([...flags, '--', ...look])).status).toBe(7);
  expect(during).toBe('always-200-camel-case');
  const env = { SITEPUB_SITE_ID: '1892345678901234567', SITEPUB_PROFILE: 'always-200-camel-case' };
  expect(seen()).toMatchObject({ env, sites: 200 });
});

test('deletes the world of a command that cannot run or is killed', async () => {
  const { mock, exec } = await open();
  expect(await exec(['--', 'no-such-command'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("can't run"),
  });
  const kill = `process.kill(process.pid, 'SIGKILL')`;
  expect((await exec(['--', process.execPath, '-e', kill])).status).toBe(137);
  expect(mock.worlds.list()).toHaveLength(1);
});

test('runs no command if the mock refuses or is missing', async () => {
  const { mock, exec } = await open();
  const world = await mock.worlds.create({ name: 'a' });
  const refuses = async (flags: string[], status: number, says: string) => {
    const result = await exec([...flags, '--', process.execPath, '-e', 'process.exit(9)']);
    expect(result).toMatchObject({ status, stderr: expect.stringContaining(says) });
  };
  await refuses(['--fault', 'nothing'], 2, 'there is no fault "nothing"');
  await refuses(['--expires-in', 'PT0S'], 2, 'expected a positive duration');
  await refuses(['--control-url', world.controlUrl], 2, 'call /_mock/worlds at the root of the mock');
  await mock.close();
  await refuses([], 3, 'no mock answers at');
});

const module = new URL('run-command.ts', import.meta.url).href;
writeFileSync(join(folder, 'npm.CMD'), '@echo off\n', { mode: 0o755 });
writeFileSync(join(folder, 'tool.EXE'), 'MZ', { mode: 0o755 });

async function startedOnWindows(command: string, args: readonly string[]): Promise<[string, string[]]> {
  const script = `
    import child from 'node:child_process';
    import { syncBuiltinESMExports } from 'node:module';
    Object.defineProperty(process, 'platform', { value: 'win32' });
    child.spawn = (command, args) => { console.log(JSON.stringify([command, args])); process.exit(0); };
    syncBuiltinESMExports();
    const { forwardSignals } = await import('${module}');
    await forwardSignals()(...${JSON.stringify([command, args])}, process.env);`;
  const { stdout } = await runModule(script, { PATH: folder, PATHEXT: '.EXE;.CMD', comspec: 'cmd.exe' });
  return JSON.parse(stdout);
}

test('runs a .cmd file with the shell, and escapes its arguments', async () => {
  const [shell, args] = await startedOnWindows('npm', ['test', 'a b', '50%', '"q" & calc.exe']);
  expect([shell, ...args.slice(0, 3)]).toEqual(['cmd.exe', '/d', '/s', '/c']);
  const [, , , line = ''] = args;
  expect(line).toMatch(/npm \^+"test\^+" /);
  // Each special character of the shell is escaped.
  expect(line.replaceAll(/\^./g, '')).not.toMatch(/[&%|<>]/);
});

test('runs a program without a shell', async () => {
  expect(await startedOnWindows('tool', ['a b', '&'])).toEqual(['tool', ['a b', '&']]);
});

test('a pending signal prevents the command', async () => {
  const script = `
    const { forwardSignals } = await import('${module}');
    const run = forwardSignals();
    process.kill(process.pid, 'SIGINT');
    console.log(await run(process.execPath, ['-e', 'console.log("ran")'], process.env));`;
  expect((await runModule(script)).stdout).toBe('130\n');
});
