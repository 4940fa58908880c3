// @module-tag ci
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { runModule } from '../scripts/testing/run-program.ts';
import { createProgram } from './program/program.ts';
import { credentialsOf, openCommand, openMock, sendJson } from './testing.ts';

const { folder, startMockProcess, run, runHere } = openCommand();
/** A call to this address would end with 3. */
const nowhere = 'http://127.0.0.1:9/api/v1';
const unwritable = "the folder /none can't be written (ENOENT); create it first";

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
  ['SITEPUB_CONFIG=no.yaml test x', "the configuration no.yaml can't be read"],
  ['mock --host-name mock.test http://mock.test:4010', '--host-name is "http://mock.test:4010"; expected'],
  ['mock --watch --port 0', '--watch has nothing to watch; pass a file with --world or --profile'],
  ['mock --public-url mock.example', '--public-url is "mock.example"; expected the http or https URL'],
  ['mock --latency 200-20', '--latency is "200-20"; expected milliseconds from and to, such as 20-200'],
  ['mock --vary slow-answer', 'there is no variation "slow-answer"; did you mean "slow-answers"? (known: '],
  [
    'mock --fault fourth-retry third-retry-mising',
    'there is no fault "third-retry-mising"; did you mean "third-retry-missing"? (`sitepub list faults` shows all)\n',
  ],
  ['mock --listen 4099', 'unknown flag --listen; did you mean --port? ('],
  ['listen --port 4099', 'unknown flag --port; did you mean --listen? ('],
  ['listen --listen 192.0.2.1:80', "can't listen on 192.0.2.1:80 (EADDRNOTAVAIL)"],
  ['exec --seed 2', 'the command to run is missing; put it after two dashes'],
  ['exec --in-running-mock --cors -- true', '--cors and --in-running-mock cannot be used together'],
  ['exec --expires-in=PT1H -- true', '--expires-in needs --in-running-mock'],
  ['exec --control-url http://127.0.0.1:1/_mock -- true', '--control-url needs --in-running-mock'],
  ['exec --in-running-mock --clock slow -- true', '--clock is "slow"; expected real or manual'],
  ['exec --in-running-mock --expires-in soon -- true', '"soon" is not a duration'],
  ['list gasp', 'there is no list of "gasp"; did you mean "gaps"?'],
  ['docs profil', 'there is no page "profil"; did you mean "profile"?'],
  ['docs guides/config', 'there is no page "guides/config"'],
  ['docs docs/readme.md/x', 'there is no page "docs/readme.md/x"'],
  ['docs ../package', 'there is no page "../package"; `sitepub docs` lists all'],
  ['completion bsh', 'there is no completion for "bsh"; did you mean "bash"?'],
  [`test ${nowhere} --report json=/none/out`, `--report: ${unwritable}`],
  [`discover ${nowhere} --out /none/out`, `--out: ${unwritable}`],
  ['types --out /none/out', `--out: ${unwritable}`],
  ['spec --out /none/out', `--out: ${unwritable}`],
  [`test ${nowhere} --har cli`, '--har: cli is a folder'],
  [`test ${nowhere} --journal index.ts`, '--journal: index.ts is not empty; choose a new file'],
  ['mock --profile /no', "profile /no can't be read (there is no file /no); give the path of a YAML file"],
  ['cleanup /no', "the journal /no can't be read (there is no file /no); pass the file that `sitepub test`"],
  ['cleanup index.ts', 'index.ts is not a sitepub journal'],
  ['mock --tenants 0', '--tenants is 0; expected 1 to 1000; for more tenants, use a world file'],
  ['mock --tenants 3 --world a.yaml', '--tenants applies only to the demo world; omit --tenants or --world'],
  ['mock --tls-cert index.ts --tls-key index.ts', "can't serve https: the certificate is not PEM"],
])('%s is refused: %s', async ([line, message]) => {
  const { status, stdout, stderr } = await runLine(line);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(`sitepub: ${message}`);
});

test.for<[string[], number, string]>([
  [[], 2, '`sitepub help COMMAND` shows flags, variables and exit codes.'],
  [['--version'], 0, '0.2.0\n'],
  [['-V'], 0, '0.2.0\n'],
  [['report', '-h'], 0, 'Without a command, this runs `report show`; see `sitepub help report show`'],
  [['mock', 'help', 'store'], 0, 'migrate'],
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

/** Variables, then a command and its arguments. */
function runLine(line: string) {
  const words = line.split(' ');
  const count = words.findIndex((word) => !word.includes('='));
  const variables = words.slice(0, count).map((word) => word.split('='));
  return runHere(words.slice(count), { SITEPUB_API_KEY: 'sp_x', ...Object.fromEntries(variables) });
}

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
  const loaded = JSON.parse((await runModule(script)).stderr) as string[];
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
  '$words.0 $words.1 $words.2 prints help and reports usage errors',
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

test.for([
  'mock --port 0 --world PIPE',
  'mock --port 0 --store file:PIPE',
  'spec --profile PIPE',
  'discover --no-calls --openapi PIPE',
  'discover --no-calls --har PIPE',
  'discover --no-calls --openapi https://127.0.0.1:9/x --ca PIPE',
  'report PIPE',
  'mock load PIPE --control-url http://127.0.0.1:9/_mock',
  'SITEPUB_STORE_FILE=PIPE mock store status',
])('%s refuses a pipe without a writer instead of waiting', async (line) => {
  const path = join(folder, 'pipe');
  if (!existsSync(path)) execFileSync('mkfifo', [path]);
  const { status, stderr } = await runLine(line.replace('PIPE', path));
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
  const args = ['test', '--base-url', mock.baseUrl, '--control-url', mock.controlUrl, '--only', 'LOGIN-1'];
  const { status, stdout } = await runHere(args, credentialsOf(mock));
  expect(stdout).toContain('profile always-200-camel-case');
  expect(status).toBe(0);
});
