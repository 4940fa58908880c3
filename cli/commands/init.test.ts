// @module-tag ci
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseProfile } from '../../openapi/profile.ts';
import { loadConfig } from '../options/config.ts';
import { openCommand, openMock } from '../testing.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = join(root, 'cli/sitepub.mjs');
const { folder, run: runIn, runHere } = openCommand();

const emptyFolder = (name: string) => mkdtempSync(join(folder, `${name}-`));

const run = (home: string, args: readonly string[], variables: Record<string, string> = {}) =>
  runIn(args, variables, home);

const files = ['sitepub.config.yaml', 'contract/staging.yaml', '.github/workflows/contract.yml'];
const access = { STAGING_USERNAME: 'mei@harbour-cafe.example', STAGING_PASSWORD: 'demo-password-mei' };

test('init writes files with which a run by name works', async () => {
  const home = emptyFolder('whole');
  const written = await run(home, ['init', '--yes']);
  expect(written).toMatchObject({ status: 0, stderr: '' });
  for (const file of files) expect(written.stdout).toContain(`wrote ${file}\n`);
  expect(written.stdout).toContain('  set "url" and "site" in sitepub.config.yaml, and the variables');
  expect(written.stdout).toContain('\n  sitepub test staging --max-wait 61s');
  await using mock = await openMock({ limits: 'off' });
  const config = join(home, 'sitepub.config.yaml');
  const text = readFileSync(config, 'utf8');
  writeFileSync(config, text.replace('https://staging.example.com/api/v1', mock.baseUrl));
  // Also works in a folder inside of the repository.
  mkdirSync(join(home, '.git'));
  mkdirSync(join(home, 'src'));
  const { status, stdout, stderr } = await run(
    join(home, 'src'),
    ['test', 'staging', '--suite', 'smoke'],
    access,
  );
  expect(stderr).toContain('the profile ../contract/staging.yaml states no values');
  expect(stdout).toMatch(/81 requirements: \d+ passed, 0 failed/);
  expect(status).toBe(0);
  const unset = await runHere(['test', 'staging', '--config', config]);
  expect(unset.stderr).toContain('sitepub.config.yaml:8: the variable STAGING_USERNAME is not set');
  expect(unset.status).toBe(2);
  await runHere(['spec', '--out', join(home, 'api.json')]);
  const read = ['discover', 'staging', '--no-calls', '--openapi', 'api.json'];
  const out = ['--force', '--out', 'contract/staging.yaml'];
  const discovered = await run(home, [...read, ...out]);
  expect(discovered.status).toBe(0);
  expect(discovered.stderr).not.toContain('states no values');
  expect(readFileSync(join(home, 'contract/staging.yaml'), 'utf8')).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/node_modules\/sitepub\/schemas\/profile\.json\n# Profile read from /,
  );
});

test('the files of init are valid, and name the schemas of the installed package', async () => {
  const home = emptyFolder('read');
  await run(home, ['init', '--yes']);
  mkdirSync(join(home, 'node_modules'));
  symlinkSync(root, join(home, 'node_modules/sitepub'));
  const read = (file: string) => readFileSync(join(home, file), 'utf8');
  for (const file of files.slice(0, 2)) {
    const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(read(file)) ?? [];
    expect(existsSync(resolve(home, dirname(file), schema))).toBe(true);
  }
  expect(Object.keys(loadConfig(join(home, 'sitepub.config.yaml')).deployments)).toEqual(['staging']);
  const stated = read('contract/staging.yaml').replaceAll(/^# (?=[a-z-]+\.[a-z.-]+: )/gm, '');
  expect(parseProfile(stated, 'f').stated.size).toBe(12);
  const { inputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
  const [, step] = parse(read('.github/workflows/contract.yml')).jobs.staging.steps;
  expect(Object.keys(step.with).filter((name) => !(name in inputs))).toEqual([]);
  expect(Object.keys(step.env)).toEqual(['SITEPUB_USERNAME', 'SITEPUB_PASSWORD', 'SITEPUB_SITE_ID']);
});

test('init starts its commands with npx if npx started it', async () => {
  const { stdout } = await run(emptyFolder('npx'), ['init', '--yes'], { npm_command: 'exec' });
  expect(stdout).toContain('\n  npx sitepub discover staging --force');
  expect(stdout).toContain('\n  npx sitepub test staging --max-wait 61s');
});

test('init overwrites no file, and asks only on a terminal', async () => {
  const home = emptyFolder('kept');
  const refused = await run(home, ['init']);
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toContain('there is no terminal; use `sitepub init --yes` for the defaults');
  mkdirSync(join(home, 'contract'));
  symlinkSync('nowhere', join(home, 'contract/staging.yaml'));
  writeFileSync(join(home, 'sitepub.config.yaml'), 'mine');
  const { status, stderr } = await run(home, ['init', '--yes']);
  expect(stderr).toContain(
    'sitepub.config.yaml, contract/staging.yaml already exist, so nothing was written',
  );
  expect(status).toBe(2);
  expect(existsSync(join(home, '.github'))).toBe(false);
  expect(readFileSync(join(home, 'sitepub.config.yaml'), 'utf8')).toBe('mine');
});

test.skipIf(process.platform !== 'linux')(
  'init asks for the base URL on a terminal (needs Linux)',
  async () => {
    const home = emptyFolder('asked');
    const answerTo = (answer: string) => {
      const child = spawn('script', ['-qec', `${process.execPath} ${command} init`, '/dev/null'], {
        cwd: home,
      });
      child.stdout.once('data', () => child.stdin.write(`${answer}\r`));
      return text(child.stdout);
    };
    expect(await answerTo('staging')).toContain('the URL is invalid; expected an http or https URL');
    expect(existsSync(join(home, 'sitepub.config.yaml'))).toBe(false);
    const said = await answerTo('https://cafe.example/api/v1/');
    expect(said).toContain('Base URL of the deployment; it ends in /api/v1 [https://staging.example.com/');
    expect(said).toContain('wrote sitepub.config.yaml');
    expect(said).toContain('  set "site" in sitepub.config.yaml, and the variables');
    expect(readFileSync(join(home, 'sitepub.config.yaml'), 'utf8')).toContain(
      'url: https://cafe.example/api/v1\n',
    );
  },
);

test('init leaves no file if one cannot be written', async () => {
  const home = emptyFolder('lost');
  writeFileSync(join(home, '.github'), 'a file');
  const { status, stderr } = await run(home, ['init', '--yes']);
  expect(stderr).toMatch(
    /^sitepub: \.github\/workflows\/contract\.yml can't be written \(\w+\), so nothing was written\n$/,
  );
  expect(status).toBe(4);
  expect(existsSync(join(home, 'sitepub.config.yaml'))).toBe(false);
});

test('ignores a configuration above a folder that is not in a repository', async () => {
  const home = emptyFolder('above');
  mkdirSync(join(home, 'inner'));
  writeFileSync(join(home, 'sitepub.config.yaml'), 'mock: { port: wrong }');
  const { stderr } = await run(join(home, 'inner'), ['test', 'staging']);
  expect(stderr).toContain('there is no sitepub.config.yaml with named deployments');
  expect((await run(home, ['mock'])).stderr).toContain(
    'sitepub.config.yaml:1: mock.port: expected a whole number',
  );
});

test('--compare uses the report of another deployment as baseline', async () => {
  const home = emptyFolder('compared');
  await using good = await openMock({ limits: 'off' });
  await using bad = await openMock({ faults: ['no-trace-id-on-404'], limits: 'off' });
  const credentials = `credentials: { username: "\${STAGING_USERNAME}", password: "\${STAGING_PASSWORD}" }`;
  const config = join(home, 'sitepub.config.yaml');
  writeFileSync(
    config,
    `deployments:
  good: { url: ${good.baseUrl}, profile: default, ${credentials} }
  bad: { url: ${bad.baseUrl}, profile: default, baseline: none.json, ${credentials} }
  gone: { url: http://127.0.0.1:9/api/v1, profile: default, ${credentials} }
`,
  );
  const compare = (name: string, to: string, ...more: string[]) =>
    runHere(['test', name, '--compare', to, '--config', config, '--only', 'ENV-1', ...more], access);
  expect(await compare('good', 'bad')).toMatchObject({ status: 0 });
  const worse = await compare('bad', 'good');
  expect(`${worse.stderr}${worse.stdout}`).toContain('passed in the baseline, fails now');
  expect(worse.status).toBe(1);
  const unreachable = await compare('good', 'gone');
  expect(unreachable.stderr).toContain('there is no report to compare with');
  expect(unreachable).toMatchObject({ status: 3, stdout: '' });
  const both = await compare('good', 'bad', '--baseline', 'x.json');
  expect(both.stderr).toContain('--compare and --baseline cannot be used together');
  const same = await compare('good', 'good');
  expect(same.stderr).toContain('--compare names the deployment under test; choose another one');
  expect((await compare('good', 's3cret')).stderr).not.toContain('s3cret');
  const { stdout } = await compare('good', 'bad', '--dry-run');
  expect(stdout).toMatch(new RegExp(`${bad.baseUrl}: nothing was sent[^]*${good.baseUrl}: nothing was sent`));
});

test('exec and mock use the defaults of the configuration', async () => {
  const home = emptyFolder('mock');
  writeFileSync(join(home, 'sitepub.config.yaml'), 'mock: { port: 1, profile: nested-201-uuid }');
  const show = ['exec', '--', process.execPath, '-e'];
  const script =
    "fetch(process.env.SITEPUB_CONTROL_URL + '/health').then(async (a) => console.log((await a.json()).profile.name))";
  expect(await run(home, [...show, script])).toMatchObject({ status: 0, stdout: 'nested-201-uuid\n' });
});
