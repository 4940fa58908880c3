import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from './config.ts';
import { testFlags } from './deployment-flags.ts';
import { createGiven, type Environment, type Flags, type Given, readFlags } from './flags.ts';
import { mockFlags } from './mock-flags.ts';
import { readStartOptions, readStore } from './mock-options.ts';
import { readTestOptions } from './test-options.ts';
import { UsageError } from './usage-error.ts';
import { useDeployment, useDeploymentAt, useFileOnly, useMock } from './use-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-config-'));
const file = join(folder, 'sitepub.config.yaml');
const passwordFile = join(folder, 'password');
mkdirSync(join(folder, 'contract'));
writeFileSync(join(folder, 'contract/staging.yaml'), 'login.token: /token\n');
writeFileSync(passwordFile, 'elm\n');

const unquoted = `a variable inside braces needs quotes: { password: "\${STAGING_PASSWORD}" }`;

test.for<[string, string]>([
  ['', '1: the file is empty; expected a map with "deployments" or "mock"'],
  ['- a', '1: expected a map'],
  ['deployment: {}', '1: there is no member "deployment"; did you mean "deployments"? (known: dep'],
  ['deployments:\n', '1: deployments: expected a map'],
  ['deployments:\n  a: { profile: x }', '2: deployments.a.url: is missing; expected the base URL of the'],
  ['deployments:\n  a:\n    url: h/api/v1', '3: deployments.a.url: expected the base URL of the deployment'],
  ['deployments:\n  a b: { url: http://h }', '1: deployments: expected a name such as staging as the name'],
  ['mock:\n  port: x', '2: mock.port: expected a whole number from 0; it is "x"'],
  ['mock:\n  clock: slow', '2: mock.clock: expected one of real, manual; it is "slow"'],
  ['mock:\n  faults: [a]', '2: mock: there is no member "faults"; did you mean "fault"?'],
  ['mock: { store: "postgres://mei:s3cret@h/d" }', '1: mock.store: it contains a password; use a variable'],
  [deploymentOf('url: http://i'), '4: url appears here a second time; remove one of the two'],
  [deploymentOf(`credentials: { password: \${X} }`), `4: ${unquoted}`],
  [deploymentOf(`headers: {\n  X-Gate: \${X}\n}`), `5: ${unquoted}`],
  ['deployments:\n  sp_s3cret: 5', '2: deployments.…: expected a map'],
])('%j is refused: %s', ([text, want]) => {
  expect(messageOf(text)).toContain(`f:${want}`);
  expect(messageOf(text)).not.toContain('s3cret');
});

const ofSecret = `expected the name of a variable, such as \${STAGING_PASSWORD}; secrets do not belong in this file`;

/** The mistake is in the line after the URL, plus `deeper` lines. */
test.for<[lines: string, path: string, want: string, deeper?: number]>([
  ['profil: x', '', 'there is no member "profil"; did you mean "profile"?'],
  ['profile: 5', '.profile', 'expected a text; it is 5; put it in quotes'],
  ['receiver: 8099', '.receiver', 'expected a map'],
  ['receiver: { url: "ftp://mei:s3cret@h" }', '.receiver.url', 'expected an http or https URL'],
  ['control_url: "https://mei:s3cret@h/_mock"', '.control_url', 'expected an http or https URL'],
  [`headers: { "X Gate": "\${X}" }`, '.headers', 'expected a name such as X-Gateway-Token as'],
  ['headers: { X-Gate: s3cret }', '.headers.X-Gate', ofSecret],
  ['key_passphrase: s3cret', '.key_passphrase', ofSecret],
  ['credentials: s3cret', '.credentials', 'expected a map'],
  ['credentials:\n  site: abc', '.credentials.site', 'expected the identifier of a site', 1],
  ['credentials:\n  password: s3cret', '.credentials.password', ofSecret, 1],
  [`credentials:\n  password: s3cret-\${X}`, '.credentials.password', ofSecret, 1],
  ['credentials: { api_key: sp_s3cret }', '.credentials.api_key', ofSecret],
  ['credentials:\n  second: { password: s3cret }', '.credentials.second.password', ofSecret, 1],
  ['credentials: { control_token: [s3cret] }', '.credentials.control_token', ofSecret],
  ['sp_s3cret:', '', 'there is a member with an unknown name'],
])('refuses %j in a deployment at "%s": %s', ([lines, path, want, deeper = 0]) => {
  const message = messageOf(deploymentOf(lines));
  expect(message).toContain(`f:${4 + deeper}: deployments.staging${path}: ${want}`);
  expect(message).not.toContain('s3cret');
});

function deploymentOf(lines: string): string {
  return `deployments:\n  staging:\n    url: http://h/api/v1\n${lines.replaceAll(/^/gm, '    ')}`;
}

function messageOf(text: string): string {
  try {
    parseConfig(text, 'f');
  } catch (error) {
    if (error instanceof UsageError) return error.message;
  }
  return 'it is taken';
}

const full = `deployments:
  staging:
    url: http://h/api/v1/
    profile: contract/staging.yaml
    headers: { X-Gate: "\${GATE}" }
    receiver: { listen: "8099", url: "http://tunnel" }
    credentials:
      username: mei
      password: \${STAGING_PASSWORD}
      api_key: \${STAGING_KEY}
      site: 9223372036854775807
      other: { username: lin, password: "\${STAGING_PASSWORD}", site: 201 }
  bare:
    url: http://bare/api/v1
    credentials: { username: bo, password: "\${BARE}" }
`;
const variables = { GATE: 'open', STAGING_PASSWORD: 'fern', STAGING_KEY: 'sp_1', BARE: 'oak' };

function givenWith(text: string, flags: Flags, args: readonly string[], environment: Environment): Given {
  writeFileSync(file, text);
  return createGiven({ ...readFlags(args, flags, environment, '[target]'), config: file });
}

async function read(args: readonly string[], environment: Environment) {
  return readTestOptions(await useDeployment(givenWith(full, testFlags, args, environment)));
}

const bo = { account: { username: 'bo', password: 'oak' } };
const open = { 'X-Gate': 'open' };
const tunnel = 'http://tunnel';

test.for<[string[], Record<string, string>, object]>([
  [
    [],
    {},
    {
      baseUrl: 'http://h/api/v1',
      profile: { name: 'staging', stated: { 'login.token': '/token' } },
      connection: { headers: open },
      receiver: { listen: '8099', url: tunnel },
      account: { username: 'mei', password: 'fern' },
      apiKey: 'sp_1',
      siteId: 9_223_372_036_854_775_807n,
      other: { username: 'lin', password: 'fern', siteId: 201 },
    },
  ],
  [[], { SITEPUB_USERNAME: 'bo', SITEPUB_PASSWORD: 'oak' }, bo],
  [[], { SITEPUB_PASSWORD: '' }, { account: { username: 'mei', password: 'fern' } }],
  [[], { SITEPUB_PASSWORD_FILE: passwordFile }, { account: { username: 'mei', password: 'elm' } }],
  // A variable that is not needed need not be set.
  [[], { SITEPUB_PASSWORD: 'elm', SITEPUB_OTHER_PASSWORD: 'ash', STAGING_PASSWORD: '' }, { apiKey: 'sp_1' }],
  [[], { SITEPUB_PROFILE: 'nested-201-uuid' }, { profile: { name: 'nested-201-uuid' } }],
  [
    ['--profile', 'always-200-camel-case'],
    { SITEPUB_PROFILE: 'nested-201-uuid' },
    { profile: { name: 'always-200-camel-case' } },
  ],
  [['--receiver-listen', '0'], {}, { receiver: { listen: '0', url: tunnel } }],
  [['--header', 'X-B'], { SITEPUB_HEADER_X_B: 'b' }, { connection: { headers: { ...open, 'X-B': 'b' } } }],
  [[], { SITEPUB_HEADER_X_GATE: 'shut' }, { connection: { headers: { 'X-Gate': 'shut' } } }],
  [[], { SITEPUB_BASE_URL: 'http://other/api/v1' }, { baseUrl: 'http://h/api/v1' }],
])('flags %j and variables %j override the file', async ([args, environment, want]) => {
  expect(await read(['staging', ...args], { ...variables, ...environment })).toMatchObject(want);
});

test.for<[string[], Record<string, string>, string]>([
  [['stagin'], {}, `${file} has no deployment with that name; the names are staging, bare`],
  [['s3cret'], {}, 'no deployment with that name'],
  [['constructor'], {}, 'no deployment with that name'],
  [['staging', '--base-url', 'http://x'], {}, 'the base URL is given twice'],
  [['staging'], { STAGING_PASSWORD: '' }, `${file}:9: the variable STAGING_PASSWORD is not set`],
  [['bare'], { BARE: '' }, `${file}:15: the variable BARE is not set`],
])('%j is refused', async ([args, environment, want]) => {
  const refused = expect(read(args, { ...variables, ...environment })).rejects;
  await refused.toThrow(want);
  await refused.not.toThrow('s3cret');
});

test('--compare uses only the file', async () => {
  const environment = {
    ...variables,
    SITEPUB_USERNAME: 'eve',
    SITEPUB_PASSWORD: 'x',
    SITEPUB_API_KEY: 'sp_2',
  };
  const args = ['staging', '--profile', 'always-200-camel-case', '--header', 'X-B', '--suite', 'smoke'];
  const given = givenWith(full, testFlags, args, environment);
  const options = await readTestOptions(await useFileOnly(given, 'bare'));
  expect(options).toMatchObject({
    baseUrl: 'http://bare/api/v1',
    tier: 'smoke',
    profile: { stated: {} },
    ...bo,
  });
  expect([options.apiKey, options.connection]).toEqual([undefined, undefined]);
});

test('finds a deployment by its URL', async () => {
  const given = givenWith(full, testFlags, [], variables);
  const { environment } = await useDeploymentAt(given, 'http://bare/api/v1');
  expect(environment).toMatchObject({ SITEPUB_USERNAME: 'bo', SITEPUB_PASSWORD: 'oak' });
  expect(await useDeploymentAt(given, 'http://x/api/v1')).toBe(given);
});

const mock = `mock:
  port: 4711
  clock: manual
  fault: [third-retry-missing]
  cors: true
  world: worlds/acme.yaml
  store: file:mock.db
  quiet: true
`;
const fromHere = (path: string) => relative(process.cwd(), join(folder, path));

test.for<[string[], Record<string, string>, object]>([
  [[], {}, { port: 4711, clock: 'manual', faults: ['third-retry-missing'], cors: true }],
  [[], {}, { world: fromHere('worlds/acme.yaml'), store: `file:${fromHere('mock.db')}`, quiet: true }],
  [['-p', '0'], { SITEPUB_PORT: '4712' }, { port: 0 }],
  [[], { SITEPUB_PORT: '4712' }, { port: 4712 }],
  [['--fault', 'no-trace-id-on-404'], {}, { faults: ['no-trace-id-on-404'] }],
  [['--store', 'file:/b.db'], { SITEPUB_STORE: 'file:/a.db' }, { store: 'file:/b.db' }],
  [[], { SITEPUB_STORE: 'file:/a.db' }, { store: 'file:/a.db' }],
  // A value that excludes a flag of the command line is ignored.
  [['--tenants', '3', '--log', 'json'], {}, { tenants: 3, quiet: false, world: undefined }],
  [['--watch'], {}, { store: undefined }],
])('flags %j and variables %j of the mock override the file', async ([args, environment, want]) => {
  const given = await useMock(givenWith(mock, mockFlags, args, environment));
  const { world, ...options } = readStartOptions(given, 4010);
  const found = { ...options, world, store: readStore(given), quiet: given.switched('quiet') };
  expect(found).toMatchObject(want);
});

test('leaves out defaults that a command excludes', async () => {
  const given = await useMock(givenWith(mock, mockFlags, [], {}), ['port']);
  expect(given.text('port')).toBeUndefined();
});
