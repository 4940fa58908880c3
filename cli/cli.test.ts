// @module-tag ci
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from './program/program.ts';
import { credentialsOf, openCommand, openMock, sendJson } from './testing.ts';

const { folder, startMockProcess, run, runHere } = openCommand();

test.for<[string, string]>([
  ['tset', 'there is no "sitepub tset"; did you mean "test"? (`sitepub --help`)\n'],
  ['reset', 'there is no "sitepub reset"; did you mean "sitepub mock reset"?'],
  ['mock triger', 'there is no "sitepub mock triger"; did you mean "trigger"?'],
  ['mock store', 'the command is missing; there are status, migrate, drop (`sitepub mock store --help`)\n'],
  ['mock help stort', 'there is no "sitepub mock stort"; did you mean "start"? (`sitepub mock --help`)\n'],
  ['mock store help nope', 'there is no "sitepub mock store nope"; there are status, migrate, drop ('],
  ['mock --store-wait soon', '--store-wait is "soon"; expected a time such as 90s, 36m or 1h ('],
  ['mock --port --json', '--port needs a value: N (`sitepub mock start --help`)'],
  ['--config no.yaml test x', "the configuration no.yaml can't be read"],
  ['test x --config no.yaml', "the configuration no.yaml can't be read"],
  ['mock --host-name mock.test http://mock.test:4010', '--host-name is "http://mock.test:4010"; expected'],
  ['mock --public-url mock.example', '--public-url is "mock.example"; expected the http or https URL'],
  ['mock --latency 200-20', '--latency is "200-20"; expected milliseconds from and to, such as 20-200'],
  ['mock --vary slow-answer', 'there is no variation "slow-answer"; did you mean "slow-answers"? (known: '],
  [
    'mock --fault fourth-retry third-retry-mising',
    'there is no fault "third-retry-mising"; did you mean "third-retry-missing"? (`sitepub list faults` shows all)\n',
  ],
  ['mock --listen 4099', 'unknown flag --listen; did you mean --port? ('],
  ['listen --port 4099', 'unknown flag --port; did you mean --listen? ('],
  ['exec --seed 2', 'the command to run is missing; put it after two dashes'],
  ['list gasp', 'there is no list of "gasp"; did you mean "gaps"?'],
  ['completion bsh', 'there is no completion for "bsh"; did you mean "bash"?'],
])('%s is refused: %s', async ([line, message]) => {
  const { status, stdout, stderr } = await runHere(line.split(' '));
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(`sitepub: ${message}`);
});

test.for<[string[], number, string]>([
  [[], 2, '`sitepub help COMMAND` shows flags, variables and exit codes.'],
  [['--version'], 0, '0.2.0\n'],
  [['-V'], 0, '0.2.0\n'],
  [['report', '-h'], 0, 'Without a command, this runs `report show`; see `sitepub help report show`'],
  [['help', 'test'], 0, '\nExit codes:\n  0    no verified requirement failed\n'],
  [['exec', '--', 'node', '-e', 'process.exit(7)'], 7, ''],
  [['list', 'gaps'], 0, 'login.token '],
  [['list', 'faults'], 0, 'no-trace-id-on-404 '],
  [['spec', '--profile', 'nested-201-uuid'], 0, 'signing_key:'],
  [['spec', '--base-url', 'https://h/api/v1/'], 0, 'servers:\n  - url: https://h/api/v1\n'],
])('%j exits with %i, and prints %j', async ([args, status, want]) => {
  const result = await runHere(args);
  expect(result).toMatchObject({ status, stderr: '' });
  expect(result.stdout).toContain(want);
});

test('help in a group exits with 0', async () => {
  expect(await run(['mock', 'help', 'store'])).toMatchObject({ status: 0, stderr: '' });
});

const program = createProgram(async () => {});

test('help loads none of the modules that commands run', async () => {
  const lines = commandsIn(program).map(({ words }) => [...words, '--help']);
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { runCommandLine } = await import(${JSON.stringify(new URL('program/program.ts', import.meta.url))});
    console.log = process.stdout.write = () => true;
    for (const words of ${JSON.stringify(lines)}) await runCommandLine(words);
    console.error(JSON.stringify(loaded.filter((url) => !url.startsWith('node:'))));`;
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  const loaded = JSON.parse(stderr) as string[];
  const packages = loaded.flatMap((url) => /(?<=node_modules\/)[^/]+/.exec(url) ?? []);
  expect([...new Set(packages)].sort()).toEqual(['commander']);
  expect(loaded.filter((url) => /\/(mock|commands|steer|mcp)\//.test(url))).toEqual([]);
  expect(loaded.length).toBeGreaterThan(packages.length);
});

function commandsIn(group: Command, words: readonly string[] = []): { words: string[]; command: Command }[] {
  return group.commands.flatMap((command) => {
    const own = [...words, command.name()];
    return [{ words: own, command }, ...commandsIn(command, own)];
  });
}

test.for(commandsIn(program))(
  '$words.0 $words.1 $words.2 prints help and rejects invalid usage',
  async ({ words, command }) => {
    const name = words.join(' ');
    const [short, long, help] = [
      await runHere([...words, '-h']),
      await runHere([...words, '--help']),
      await runHere(['help', ...words]),
    ];
    expect(short).toMatchObject({ status: 0, stderr: '' });
    expect(short.stdout).toMatch(new RegExp(`^Usage: sitepub ${name}( |\n)`));
    expect([long, help]).toEqual([short, short]);
    const args = command.registeredArguments.flatMap(({ required }) => (required ? ['x'] : []));
    const mistakes = [[...args, '--frobnicate'], ...(args.length > 0 ? [args.slice(1)] : [])];
    if (command.commands.length > 0) mistakes.push(['statsu']);
    for (const mistake of mistakes) {
      const { status, stdout, stderr } = await runHere([...words, ...mistake]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
      expect(stderr).toMatch(/^sitepub: .*\(`sitepub .*--help`\)\n$/s);
    }
  },
);

test('SITEPUB_CONFIG names the configuration, as --config does', async () => {
  const { stderr } = await runHere(['test', 'x'], { SITEPUB_CONFIG: 'no.yaml' });
  expect(stderr).toContain("the configuration no.yaml can't be read");
});

test('suggests the right command for a typo', async () => {
  // Any other word after `report` is a file.
  const isName = ({ parent }: Command) => parent?.name() !== 'report';
  const found = commandsIn(program).filter(({ command }) => command.name().length > 3 && isName(command));
  for (const { words } of found) {
    const last = words.at(-1) ?? '';
    const typo = [...words.slice(0, -1), `${last.slice(0, -2)}${last.at(-1)}${last.at(-2)}`];
    const { status, stderr } = await runHere(typo);
    expect({ typo, status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('did you mean'),
    });
  }
});

test.for([
  ['mock trig', 'trigger'],
  ['mock trigger form.submit --s', '--site'],
  ['mock --wor', '--world'],
  ['report a.json --f', '--format'],
  ['tes', 'test test-receiver'],
] as const)('bash completes "%s" with "%s"', async ([words, want]) => {
  const { stdout: script } = await runHere(['completion', 'bash']);
  const line = `COMP_WORDS=(sitepub ${words}); COMP_CWORD=${words.split(' ').length}; _sitepub; echo "\${COMPREPLY[@]}"`;
  const printed = execFileSync('bash', ['-c', `${script}\n${line}`], { encoding: 'utf8' });
  expect(printed.trim().split(' ').sort().join(' ')).toBe(want);
});

test('completion scripts for zsh and fish name each command', async () => {
  for (const shell of ['zsh', 'fish']) {
    const { stdout } = await runHere(['completion', shell]);
    for (const { words } of commandsIn(program).filter((one) => one.words[0] !== 'help'))
      expect(stdout).toContain(words.join(' '));
  }
});

test('names unknown variables in one line and ignores them', async () => {
  const environment = { SITEPUB_YES: '1', SITEPUB_FORCE: '1', SITEPUB_HELP: '1' };
  const store = `file:${join(folder, 'none.db')}`;
  const { status, stderr } = await runHere(['mock', 'store', 'drop', '--store', store], environment);
  expect(status).toBe(2);
  expect(stderr).toBe(
    'sitepub: ignored unknown variables SITEPUB_FORCE, SITEPUB_HELP, SITEPUB_YES\n' +
      'sitepub: drop deletes all worlds in the store; add --yes to confirm (`sitepub mock store drop --help`)\n',
  );
});

test.for<[string, (path: string) => [string[], Record<string, string>?]]>([
  ['a world file', (path) => [['mock', '--port', '0', '--world', path]]],
  ['a store', (path) => [['mock', '--port', '0', '--store', `file:${path}`]]],
  ['a profile', (path) => [['spec', '--profile', path]]],
  ['a description', (path) => [['discover', '--no-calls', '--openapi', path]]],
  ['a recording', (path) => [['discover', '--no-calls', '--har', path]]],
  [
    'a certificate',
    (path) => [['discover', '--no-calls', '--openapi', 'https://127.0.0.1:9/x', '--ca', path]],
  ],
  ['a report', (path) => [['report', path]]],
  ['a snapshot', (path) => [['mock', 'load', path, '--control-url', 'http://127.0.0.1:9/_mock']]],
  ['a secret', (path) => [['mock', 'store', 'status'], { SITEPUB_STORE_FILE: path }]],
])('refuses %s that is a pipe without a writer instead of waiting', async ([, call]) => {
  const path = join(folder, 'pipe');
  if (!existsSync(path)) execFileSync('mkfifo', [path]);
  const { status, stderr } = await runHere(...call(path));
  expect(status).toBe(2);
  expect(stderr).toMatch(/^sitepub: .*it is a pipe( without a writer|, a socket or a device)/);
});

test('exec passes the URL of the mock to the command, and excludes the mock from proxies', async () => {
  const proxies = { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: 'corp.example' };
  const names = ['SITEPUB_BASE_URL', 'NO_PROXY', 'no_proxy', 'HTTP_PROXY'];
  const show = `${JSON.stringify(names)}.map((name) => process.env[name]).join(' ')`;
  const hosts = 'corp.example,localhost,127.0.0.1,::1';
  const { status, stdout } = await run(['exec', '--', 'node', '-p', show], proxies);
  expect(status).toBe(0);
  expect(stdout.replace(/:\d+\/api/, ':PORT/api')).toBe(
    `http://127.0.0.1:PORT/api/v1 ${hosts} ${hosts} http://127.0.0.1:9\n`,
  );
});

test('lists requirements with their checks as JSON', async () => {
  const { stdout, status } = await runHere(['list', 'requirements', '--json']);
  const rows = JSON.parse(stdout) as { id: string; checks: string[] }[];
  expect(status).toBe(0);
  expect(rows).toHaveLength(81);
  expect(rows.find(({ id }) => id === 'HOOK-2')?.checks).toContain('hook-2-with-secret');
});

test('writes types and a description for a profile', async () => {
  const [types, spec] = [join(folder, 'types.ts'), join(folder, 'spec.json')];
  const results = [
    await runHere(['types', '--profile', 'nested-201-uuid', '--out', types]),
    await runHere(['spec', '--profile', 'nested-201-uuid', '--out', spec]),
  ];
  expect(results).toEqual([0, 0].map((status) => ({ status, stdout: '', stderr: '' })));
  expect(readFileSync(types, 'utf8')).toMatch(/signing_key\?: string/);
  expect(JSON.parse(readFileSync(spec, 'utf8'))).toMatchObject({ openapi: '3.1.0' });
});

test.for(['SIGINT', 'SIGTERM'] as const)(
  'the mock prints its URLs and users in one line, and ends on %s',
  async (signal) => {
    await using mock = await startMockProcess(['--profile', 'nested-201-uuid']);
    const { child, ready } = mock;
    const [tenant] = ready.tenants;
    const response = await sendJson(`${ready.base_url}/auth/tenant/login`, tenant?.users[0]);
    expect(await response.json()).toMatchObject({ code: 0, message: 'success' });
    expect(ready).toMatchObject({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/),
      control_url: ready.base_url.replace('/api/v1', '/_mock'),
      pid: child.pid,
      profile: 'nested-201-uuid',
    });
    expect(tenant).toMatchObject({ api_key: expect.stringMatching(/^sp_/), site_ids: [101, 102] });
    const rest = Promise.all([text(child.stdout), text(child.stderr)]);
    expect(await mock.end(signal)).toBe(0);
    expect(await rest).toEqual(['', '']);
  },
);

test('the mock ends cleanly although the same signal is repeated', async () => {
  await using mock = await startMockProcess();
  const { child } = mock;
  const ended = once(child, 'exit');
  // Less than half a second, after which it would count as another Ctrl-C.
  for (const end = performance.now() + 400; performance.now() < end && child.exitCode === null; ) {
    if (!child.kill('SIGTERM')) break;
    await sleep(1);
  }
  expect(await ended).toEqual([0, null]);
});

test('test uses the profile of the mock at the control URL', async () => {
  await using mock = await openMock({ profile: 'always-200-camel-case' });
  const args = ['test', '--base-url', mock.baseUrl, '--control-url', mock.controlUrl, '--only', 'HOOK-1'];
  const { status, stdout } = await runHere(args, credentialsOf(mock));
  expect(stdout).toContain('profile always-200-camel-case');
  expect(status).toBe(0);
});

test.for([
  [['test', '--base-url', 'http://127.0.0.1:9/api/v1', '--report'], '--report', 'json='],
  [['discover', '--base-url', 'http://127.0.0.1:9/api/v1', '--out'], '--out', ''],
  [['types', '--out'], '--out', ''],
  [['spec', '--out'], '--out', ''],
] as const)('%j reports a missing folder before any work', async ([args, flag, format]) => {
  const missing = join(folder, 'missing');
  const value = `${format}${join(missing, 'out')}`;
  const { status, stderr } = await runHere([...args, value], { SITEPUB_API_KEY: 'sp_x' });
  expect(stderr).toBe(
    `sitepub: ${flag}: the folder ${missing} can't be written (ENOENT); create it first (\`sitepub ${args[0]} --help\`)\n`,
  );
  expect(status).toBe(2);
  expect(existsSync(missing)).toBe(false);
});
