// What sitepub.config.yaml may say, how mistakes in it are told, and what goes before it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseConfig } from './config.ts';
import { discoverFlags, testFlags } from './deployment-flags.ts';
import { type Environment, readFlags } from './flags.ts';
import { mockFlags } from './mock-flags.ts';
import { readStartOptions, readStore } from './mock-options.ts';
import { readTestOptions } from './test-options.ts';
import { UsageError } from './usage-error.ts';
import { useDeployment, useDeploymentAt, useFileAlone, useMock } from './use-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-config-'));
const file = join(folder, 'sitepub.config.yaml');
mkdirSync(join(folder, 'contract'));
writeFileSync(join(folder, 'contract/staging.yaml'), 'login.token: /token\n');

afterAll(() => rmSync(folder, { recursive: true }));

const staging = (lines: string) => `deployments:\n  staging:\n    url: http://h/api/v1\n${lines}`;
const ofSecret = `expected the name of a variable, such as \${STAGING_PASSWORD}: a secret does not belong in this file`;

test.for<[string, string]>([
  ['', 'f:1: the file is empty; expected a map with "deployments" or "mock"'],
  ['- a', 'f:1: expected a map'],
  [
    'deployment: {}',
    'f:1: there is no member "deployment"; did you mean "deployments"? (known: deployments, mock)',
  ],
  ['deployments:\n', 'f:1: deployments: expected a map'],
  [
    'deployments:\n  a: { profile: x }',
    'f:2: deployments.a.url: is missing; expected the address of the deployment',
  ],
  ['deployments:\n  a:\n    url: h/api/v1', 'f:3: deployments.a.url: expected the address of the deployment'],
  [
    'deployments:\n  a b: { url: http://h }',
    'f:1: deployments: expected a name such as staging as the name of a member',
  ],
  [
    staging('    profil: x'),
    'f:4: deployments.staging: there is no member "profil"; did you mean "profile"?',
  ],
  [staging('    profile: 5'), 'f:4: deployments.staging.profile: expected a text; it is 5; put it in quotes'],
  [staging('    receiver: 8099'), 'f:4: deployments.staging.receiver: expected a map'],
  [
    staging('    credentials:\n      site: abc'),
    'f:5: deployments.staging.credentials.site: expected the identifier of a site',
  ],
  [
    staging(`    credentials: { password: \${X} }`),
    `f:4: between braces a variable needs quotes: { password: "\${STAGING_PASSWORD}" }`,
  ],
  [staging(`    headers: {\n      X-Gate: \${X}\n    }`), 'f:5: between braces a variable needs quotes: '],
  [
    staging(`    headers: { "X Gate": "\${X}" }`),
    'f:4: deployments.staging.headers: expected a name such as X-Gateway-Token as',
  ],
  [staging('    url: http://i'), 'f:4: url appears here a second time; keep one of the two'],
  ['mock:\n  port: x', 'f:2: mock.port: expected a whole number from 0; it is "x"'],
  ['mock:\n  clock: slow', 'f:2: mock.clock: expected one of real, manual; it is "slow"'],
  ['mock:\n  faults: [a]', 'f:2: mock: there is no member "faults"; did you mean "fault"?'],
])('%j is refused', ([text, want]) => {
  expect(messageOf(text)).toContain(want);
});

test.for<[string, string]>([
  ['    credentials:\n      password: s3cret', `f:5: deployments.staging.credentials.password: ${ofSecret}`],
  [
    `    credentials:\n      password: s3cret-\${X}`,
    `f:5: deployments.staging.credentials.password: ${ofSecret}`,
  ],
  ['    credentials: { api_key: sp_s3cret }', `f:4: deployments.staging.credentials.api_key: ${ofSecret}`],
  [
    '    credentials:\n      second: { password: s3cret }',
    `f:5: deployments.staging.credentials.second.password: ${ofSecret}`,
  ],
  [
    '    credentials: { control_token: s3cret }',
    `f:4: deployments.staging.credentials.control_token: ${ofSecret}`,
  ],
  [
    '    credentials: { control_token: [s3cret] }',
    `f:4: deployments.staging.credentials.control_token: ${ofSecret}`,
  ],
  ['    credentials: s3cret', 'f:4: deployments.staging.credentials: expected a map'],
  ['  sp_s3cret: 5', 'f:4: deployments.…: expected a map'],
  ['    key_passphrase: s3cret', `f:4: deployments.staging.key_passphrase: ${ofSecret}`],
  ['    headers: { X-Gate: s3cret }', `f:4: deployments.staging.headers.X-Gate: ${ofSecret}`],
  ['    sp_s3cret:', 'f:4: deployments.staging: there is a member with an unknown name'],
  [
    '    control_url: "https://mei:s3cret@h/_mock"',
    'f:4: deployments.staging.control_url: expected the control API',
  ],
  ['    receiver: { url: "ftp://mei:s3cret@h" }', 'deployments.staging.receiver.url: expected the address'],
  [
    'mock: { store: "postgres://mei:s3cret@h/d" }',
    'f:4: mock.store: it has a password in it; write the name of a variable',
  ],
])('%j is refused without a word of the secret', ([lines, want]) => {
  const message = messageOf(staging(lines));
  expect(message).toContain(want);
  expect(message).not.toContain('s3cret');
});

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

async function read(args: readonly string[], environment: Environment, text = full) {
  writeFileSync(file, text);
  const given = { ...readFlags(args, testFlags, environment, '[target]'), config: file };
  const used = await useDeployment(given, undefined, environment);
  return readTestOptions(used.given, used.environment);
}

test('a deployment by name is what the file says', async () => {
  expect(await read(['staging'], variables)).toMatchObject({
    baseUrl: 'http://h/api/v1',
    profile: { name: 'staging', stated: { 'login.token': '/token' } },
    connection: { headers: { 'X-Gate': 'open' } },
    receiver: { listen: '8099', url: 'http://tunnel' },
    account: { username: 'mei', password: 'fern' },
    apiKey: 'sp_1',
    siteId: 9_223_372_036_854_775_807n,
    other: { username: 'lin', password: 'fern', siteId: 201 },
  });
});

const passwordFile = join(folder, 'password');
writeFileSync(passwordFile, 'elm\n');

test.for<[string[], Record<string, string>, object]>([
  [[], { SITEPUB_USERNAME: 'bo', SITEPUB_PASSWORD: 'oak' }, { account: { username: 'bo', password: 'oak' } }],
  [[], { SITEPUB_PASSWORD: '' }, { account: { username: 'mei', password: 'fern' } }],
  [[], { SITEPUB_PASSWORD_FILE: passwordFile }, { account: { username: 'mei', password: 'elm' } }],
  [[], { SITEPUB_PROFILE: 'nested-201-uuid' }, { profile: { name: 'nested-201-uuid' } }],
  [
    ['--profile', 'always-200-camel-case'],
    { SITEPUB_PROFILE: 'nested-201-uuid' },
    { profile: { name: 'always-200-camel-case' } },
  ],
  [['--receiver-listen', '0'], {}, { receiver: { listen: '0', url: 'http://tunnel' } }],
  [
    ['--header', 'X-B'],
    { SITEPUB_HEADER_X_B: 'b' },
    { connection: { headers: { 'X-Gate': 'open', 'X-B': 'b' } } },
  ],
  [[], { SITEPUB_HEADER_X_GATE: 'shut' }, { connection: { headers: { 'X-Gate': 'shut' } } }],
  [[], { SITEPUB_BASE_URL: 'http://other/api/v1' }, { baseUrl: 'http://h/api/v1' }],
])('flags %j and variables %j go before the file', async ([args, environment, want]) => {
  expect(await read(['staging', ...args], { ...variables, ...environment })).toMatchObject(want);
});

test.for<[string[], Record<string, string>, string]>([
  [['stagin'], variables, `${file} has no deployment of that name; the names are staging, bare`],
  [['s3cret'], variables, 'no deployment of that name'],
  [['constructor'], variables, 'no deployment of that name'],
  [['staging', '--base-url', 'http://x'], variables, 'the address is given twice'],
  [
    ['staging'],
    { ...variables, STAGING_PASSWORD: '' },
    `${file}:9: the variable STAGING_PASSWORD is not set`,
  ],
  [['bare'], {}, `${file}:15: the variable BARE is not set`],
])('%j is refused', async ([args, environment, want]) => {
  const refused = expect(read(args, environment)).rejects;
  await refused.toThrow(want);
  await refused.not.toThrow('s3cret');
});

test('a variable that another one replaces need not be set', async () => {
  const environment = { SITEPUB_PASSWORD: 'elm' };
  expect(await read(['bare'], environment)).toMatchObject({ account: { username: 'bo', password: 'elm' } });
});

test('for --compare the file alone counts', async () => {
  const environment = {
    ...variables,
    SITEPUB_USERNAME: 'eve',
    SITEPUB_PASSWORD: 'x',
    SITEPUB_API_KEY: 'sp_2',
  };
  writeFileSync(file, full);
  const args = ['staging', '--profile', 'always-200-camel-case', '--header', 'X-B', '--suite', 'smoke'];
  const given = { ...readFlags(args, testFlags, environment, '[target]'), config: file };
  const used = await useFileAlone(given, 'bare', environment);
  const options = await readTestOptions(used.given, used.environment);
  expect(options).toMatchObject({ baseUrl: 'http://bare/api/v1', tier: 'smoke', profile: { stated: {} } });
  expect(options.account).toEqual({ username: 'bo', password: 'oak' });
  expect([options.apiKey, options.connection]).toEqual([undefined, undefined]);
});

test('a clean-up finds the credentials of the address', async () => {
  writeFileSync(file, full);
  const given = { ...readFlags([], discoverFlags, {}), config: file };
  const { environment } = await useDeploymentAt(given, 'http://bare/api/v1', variables);
  expect(environment).toMatchObject({ SITEPUB_USERNAME: 'bo', SITEPUB_PASSWORD: 'oak' });
  expect(await useDeploymentAt(given, 'http://x/api/v1', variables)).toEqual({
    given,
    environment: variables,
  });
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

async function readMock(
  args: readonly string[],
  except: readonly string[] = [],
  environment: Environment = {},
) {
  writeFileSync(file, mock);
  const given = { ...readFlags(args, mockFlags, environment), config: file };
  return useMock(given, except, environment);
}

test('the mock begins as the file says, with paths relative to the file', async () => {
  const { given, environment } = await readMock([]);
  expect(readStartOptions(given, 4010)).toMatchObject({
    port: 4711,
    clock: 'manual',
    faults: ['third-retry-missing'],
    cors: true,
    world: relative(process.cwd(), join(folder, 'worlds/acme.yaml')),
  });
  expect(readStore(given, environment)).toBe(`file:${relative(process.cwd(), join(folder, 'mock.db'))}`);
  expect(given.switched('quiet')).toBe(true);
});

test.for<[string[], Record<string, string>, object]>([
  [['-p', '0'], { SITEPUB_PORT: '4712' }, { port: 0 }],
  [[], { SITEPUB_PORT: '4712' }, { port: 4712 }],
  [['--fault', 'no-trace-id-on-404'], {}, { faults: ['no-trace-id-on-404'] }],
  [['--tenants', '3'], {}, { tenants: 3 }],
])('for the mock %j and %j go before the file', async ([args, environment, want]) => {
  const { given } = await readMock(args, [], environment);
  expect(readStartOptions(given, 4010)).toMatchObject(want);
});

test('what excludes a flag of the command line is left out', async () => {
  const { given } = await readMock(['--tenants', '3', '--log', 'json']);
  expect([given.text('world'), given.switched('quiet')]).toEqual([undefined, false]);
});

test('some commands leave out some defaults', async () => {
  expect((await readMock([], ['port'])).given.text('port')).toBeUndefined();
});
