import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reportOf, sample } from '../../contract-tests/reports/testing.ts';
import { startMock } from '../../mock/start.ts';
import { eventNames } from '../../openapi/event-names.ts';
import { sendJson } from '../testing.ts';
import { readConnection } from './connection-options.ts';
import { readDemands } from './demand-options.ts';
import { connectionFlags, discoverFlags, testFlags } from './deployment-flags.ts';
import {
  filesOf,
  readProbeOptions,
  readSourceOptions,
  refuseCallFlags,
  type SourceOptions,
} from './discover-options.ts';
import type { Flags, Given } from './flags.ts';
import { mockFlags } from './mock-flags.ts';
import { readLog, readStartOptions, readStoreOptions } from './mock-options.ts';
import { readTestOptions } from './test-options.ts';
import { readLine } from './testing.ts';
import { UsageError } from './usage-error.ts';
import { listenFlags, testReceiverFlags } from './webhook-flags.ts';
import {
  readForward,
  readListen,
  readReceiverOptions,
  readSigningSecrets,
  readSteps,
} from './webhook-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-options-'));
const fileOf = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const emptyFile = fileOf('empty', '\n');
const secretFile = fileOf('secrets', ' new \r\n\nold\n');
const goodReport = fileOf('good.json', JSON.stringify(sample));
const badReport = fileOf('bad.json', JSON.stringify(reportOf({})));
const self = fileURLToPath(import.meta.url);

const commands: Readonly<Record<string, readonly [Flags, read: (given: Given) => unknown]>> = {
  test: [testFlags, readTestOptions],
  demands: [testFlags, readDemands],
  discover: [discoverFlags, readProbeOptions],
  sources: [
    discoverFlags,
    (given) => {
      refuseCallFlags(given);
      const sources = readSourceOptions(given);
      return sources && { ...sources, files: filesOf(sources) };
    },
  ],
  mock: [
    mockFlags,
    (given) => ({ ...readStartOptions(given, 4010), ...readStoreOptions(given), tellsAs: readLog(given) }),
  ],
  listen: [
    listenFlags,
    (given) => {
      const secrets = readSigningSecrets({ isDemanded: given.switched('secret') }, given.environment);
      return { ...readListen(given), steps: readSteps(given), target: readForward(given), secrets };
    },
  ],
  'test-receiver': [testReceiverFlags, readReceiverOptions],
  connection: [connectionFlags, (given) => readConnection(given, 'https://staging.example.com/api/v1')],
};

/** A line: variables, a command and its arguments. */
async function read(line: string): Promise<unknown> {
  const [, variables = '', command = '', args = ''] = /^((?:\w+=\S* )*)(\S+)(.*)$/.exec(line) ?? [];
  const [flags, readOptions] = commands[command] ?? expect.unreachable();
  const taken = ['listen', 'mock', 'connection'].includes(command) ? undefined : '[url]';
  return readOptions(readLine(`${variables}${args}`, flags, taken));
}

const mei = 'SITEPUB_USERNAME=mei SITEPUB_PASSWORD=demo';
const run = `${mei} test http://h/api/v1`;
const probe = `${mei} discover http://h/api/v1`;
const receiver = 'test-receiver http://a/hook?site=5';
const sig = ['SIG-1', 'SIG-2', 'SIG-3', 'SIG-4', 'SIG-5', 'SIG-6'];

test.for<[string, object | undefined]>([
  [run, { baseUrl: 'http://h/api/v1', account: { username: 'mei', password: 'demo' }, tier: 'safe' }],
  [run, { maxWaitMs: 10_000, arrivalMs: 10_000, requestTimeoutMs: 30_000, only: [], skip: [] }],
  [`${run}/`, { baseUrl: 'http://h/api/v1' }],
  [`${run} --cases 40 --seed 123`, { cases: 40, seed: 123 }],
  [`${run} --cases 10000 --seed 4294967295`, { cases: 10_000, seed: 4_294_967_295 }],
  [`${run} --cases 0 --seed 0`, { cases: 0, seed: 0 }],
  [`${run} --only LOG,ENV-1`, { only: ['LOG-1', 'ENV-1'] }],
  [`${run} --skip SIG env-6-list-of-keys`, { skip: [...sig, 'env-6-list-of-keys'] }],
  [`${run} --max-wait 36m --request-timeout 1.5h`, { maxWaitMs: 2_160_000, requestTimeoutMs: 5_400_000 }],
  [`${run} --max-wait 0 --arrival-timeout 250ms`, { maxWaitMs: 0, arrivalMs: 250 }],
  [`${run} --max-wait %205s%20 --arrival-timeout 10`, { maxWaitMs: 5_000, arrivalMs: 10_000 }],
  [`${run} --receiver-listen 8099`, { receiver: { listen: '8099' } }],
  [`${run} --receiver-listen [::]:8099`, { receiver: { listen: '[::]:8099' } }],
  [probe, { maxWaitMs: 15_000, requestTimeoutMs: 30_000 }],
  // Without a flag or a proxy, calls are direct.
  ['SITEPUB_HEADER_X_GATE=s3cr3t SITEPUB_KEY_PASSPHRASE=unused connection', undefined],
  [
    'SITEPUB_HEADER_X_GATE=s3cr3t SITEPUB_HEADER_CF_ID=web.access connection --header X-Gate --header CF-Id,X-Gate',
    { headers: { 'X-Gate': 's3cr3t', 'CF-Id': 'web.access' } },
  ],
  [
    'SITEPUB_HEADER_COOKIE=session=a,b;%20c="d" connection --header=Cookie --header cookie',
    { headers: { cookie: 'session=a,b; c="d"' } },
  ],
  ['demands', undefined],
  ['demands --require ENV-1 LOG,LOG-1', { require: ['ENV-1', 'LOG-1'] }],
  ['demands --require log-1 Env-1 --min-verified 16', { require: ['LOG-1', 'ENV-1'], minVerified: 16 }],
  ['demands --require SIG', { require: sig }],
  [`demands --baseline ${goodReport}`, { baseline: { summary: sample.summary } }],
  ['sources http://h/api/v1', undefined],
  ['sources --har a.har --har b.har', { recordings: ['a.har', 'b.har'], files: ['a.har', 'b.har'] }],
  [
    'sources --openapi api.yaml --har a.har --base-url http://h/api/v1',
    { openapi: 'api.yaml', baseUrl: 'http://h/api/v1', files: ['api.yaml', 'a.har'] },
  ],
  ['sources --openapi https://h/docs --har a.har', { files: ['a.har'] }],
  // Variables may be set for other commands.
  ['SITEPUB_CONTROL_URL=http://127.0.0.1:9/_mock sources --no-calls --request-timeout 5s', undefined],
  ['mock', { port: 4010, host: '127.0.0.1', limits: 'on', tellsAs: 'text' }],
  ['mock --latency 20', { latency: { least: 20, most: 20 } }],
  ['mock --log json', { tellsAs: 'json' }],
  ['mock --quiet', { tellsAs: undefined }],
  ['mock --json', { tellsAs: undefined }],
  ['mock --json --log json', { tellsAs: 'json' }],
  ['mock --store file:a.db', { store: 'file:a.db', storeWait: 30_000, storeMigrate: 'start' }],
  ['mock --store file:a.db --store-wait 2m', { storeWait: 120_000 }],
  ['mock --store file:a.db --store-migrate never', { storeMigrate: 'never' }],
  ['SITEPUB_STORE=postgres://u:s3cr3t@db/x mock', { store: 'postgres://u:s3cr3t@db/x' }],
  ['listen', { host: '127.0.0.1', port: 4020, steps: [], secrets: [], target: undefined }],
  ['listen --listen 5000', { host: '127.0.0.1', port: 5000 }],
  ['listen --listen localhost:0', { host: 'localhost', port: 0 }],
  ['listen --listen [::1]:4020', { host: '::1', port: 4020 }],
  ['listen --respond 500,timeout,reset 200', { steps: [500, 'timeout', 'reset', 200] }],
  ['listen --forward-to http://127.0.0.1:3000/hooks/', { target: 'http://127.0.0.1:3000/hooks' }],
  ['SITEPUB_WEBHOOK_SECRET=%20a%20 listen --secret', { secrets: [' a '] }],
  [`SITEPUB_WEBHOOK_SECRET_FILE=${secretFile} listen`, { secrets: [' new ', 'old'] }],
  [`SITEPUB_WEBHOOK_SECRET=a SITEPUB_WEBHOOK_SECRET_FILE=${secretFile} listen`, { secrets: ['a'] }],
  [receiver, { url: 'http://a/hook?site=5', profile: { name: 'none' }, only: [], knowsEvents: false }],
  [`SITEPUB_WEBHOOK_SECRET=k3y ${receiver}`, { secret: 'k3y', events: eventNames, timeoutMs: 10_000 }],
  [
    `${receiver} --events form.submit,content.update --skip advice`,
    { events: ['content.update', 'form.submit'], knowsEvents: true, skip: ['advice'], site: {} },
  ],
  [`SITEPUB_SITE_ID=0 ${receiver} --site-name Café`, { site: { id: 0, name: 'Café' } }],
  [`${receiver} --site-id 9007199254740991 --timeout 3s`, { site: { id: 2 ** 53 - 1 }, timeoutMs: 3_000 }],
])('%s means %j', async ([line, want]) => {
  const found = await read(line);
  if (want === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(want);
});

test('--require all means each requirement for deployments', async () => {
  const { require } = (await read('demands --require all')) as { require: string[] };
  expect(require).toHaveLength(79);
  expect(require).not.toContain('RECV-1');
});

const noTime = 'expected a time such as 90s, 36m or 1h';
const noHostAndPort = 'expected HOST:PORT, such as 127.0.0.1:4020';
const noPort = 'expected a port, or a host and a port such as 0.0.0.0:8099';

test.for<[string, string]>([
  ['test', 'the base URL of the deployment is missing; pass it as an argument, or set SITEPUB_BASE_URL'],
  ['test http://a --base-url http://b', 'the base URL is given twice; leave out --base-url or the argument'],
  ['test http://h', 'credentials are missing; set SITEPUB_USERNAME and SITEPUB_PASSWORD, or SITEPUB_API_KEY'],
  ['SITEPUB_USERNAME=a test http://h', 'SITEPUB_USERNAME is set and SITEPUB_PASSWORD is not; set both'],
  ['SITEPUB_PASSWORD=s3cr3t test http://h', 'SITEPUB_PASSWORD is set and SITEPUB_USERNAME is not; set both'],
  [`SITEPUB_OTHER_USERNAME=a ${run}`, 'SITEPUB_OTHER_USERNAME is set and SITEPUB_OTHER_PASSWORD is not'],
  [`SITEPUB_SECOND_USERNAME=mei SITEPUB_SECOND_PASSWORD=s3cr3t ${run}`, 'give another user of the tenant'],
  [`SITEPUB_OTHER_USERNAME=mei SITEPUB_OTHER_PASSWORD=s3cr3t ${run}`, 'give a user of another tenant'],
  [
    'SITEPUB_API_KEY=Bearer%20s3cr3t test http://h',
    'contains a space or a line break; set it to only the key',
  ],
  [
    'SITEPUB_USERNAME=mei SITEPUB_PASSWORD_FILE=/nowhere/password test http://h',
    "SITEPUB_PASSWORD_FILE names /nowhere/password, which can't be read (there is no file /nowhere/password); name",
  ],
  [`SITEPUB_SITE_ID=cafe ${run}`, 'SITEPUB_SITE_ID is "cafe"; expected a site identifier, which'],
  ...['many', '-1', '10001'].map((text): [string, string] => [
    `${run} --cases ${text}`,
    `--cases is "${text}"; expected a whole number from 0 to 10000`,
  ]),
  [`${run} --seed 1.5`, '--seed is "1.5"; expected a whole number from 0 to 4294967295'],
  [`${run} --seed 4294967296`, '--seed is "4294967296"; expected a whole number from 0 to 4294967295'],
  [`${run} --suite x`, '--suite is "x"; expected smoke, safe, full'],
  [`${run} --only HOOKS`, 'requirements or check "HOOKS"; did you mean "HOOK"?'],
  ...['s', '-1s', '1d', '1%20s', '1e3', 'soon', '1s2'].map((text): [string, string] => [
    `${run} --max-wait ${text}`,
    `--max-wait is "${decodeURIComponent(text)}"; ${noTime}`,
  ]),
  [`${run} --arrival-timeout 0`, '--arrival-timeout is "0"; expected a time above 0 such as 90s, 36m or 1h'],
  ...['abc', '127.0.0.1:abc', '0.0.0.0', '127.0.0.1:65536'].map((text): [string, string] => [
    `${run} --receiver-listen ${text}`,
    `--receiver-listen is "${text}"; ${noPort}`,
  ]),
  // Messages do not repeat passwords or tokens in URLs.
  ...[
    ['https://mei:s3cr3t@a.example/api/v1', 'https://…@a.example/api/v1'],
    ['https://:s3cr3t@a.example/api/v1', 'https://…@a.example/api/v1'],
    ['https://s3cr3t@a.example/api/v1', 'https://…@a.example/api/v1'],
    ['https://mei:s3cr3t%2540@a.example', 'https://…@a.example'],
    ['https://mei:s3cr3t/@x@a.example', 'https://…@a.example'],
    ['https://mei:s?s3cr3t@a.example', 'https://…@a.example'],
    ['mei:s3cr3t@a.example', '…@a.example'],
    ['ftp://mei:s3cr3t@a.example', 'ftp://…@a.example'],
    ['https//mei:s3cr3t@a.example', '…@a.example'],
    ['https://a.example/api/v1?token=s3cr3t', 'https://a.example/api/v1?…'],
    ['https://a.example/api/v1#s3cr3t', 'https://a.example/api/v1#…'],
  ].map(([url, shown]): [string, string] => [`test --base-url ${url}`, `--base-url is "${shown}"; `]),
  ['demands --require HOOK-44', 'group of requirements "HOOK-44"; did you mean "HOOK-4"?'],
  ['demands --require everything-there-is', '"everything-there-is" (`sitepub list requirements` shows all)'],
  ['demands --require RECV-1', 'leave it out, and verify it with `sitepub test-receiver`'],
  ['demands --min-verified most', '--min-verified is "most"; expected a whole number from 0 to 79'],
  ['demands --min-verified 80', '--min-verified is "80"; expected a whole number from 0 to 79'],
  [
    'demands --baseline nowhere.json',
    `--baseline: nowhere.json can't be read (there is no file ${resolve('nowhere.json')}); pass a file written by \`sitepub test`,
  ],
  [
    `demands --baseline ${badReport}`,
    `--baseline: nothing was verified in ${badReport}; give the report of a run that verified something`,
  ],
  ['sources --openapi a.json --openapi b.json', 'then the other with the first result as --profile'],
  ['sources --openapi https://', '--openapi is not a valid URL; expected a file, or an http or https URL'],
  ['sources --openapi https://mei:s3cr3t@h/x', 'because process lists show flags; use --header'],
  ['sources --har http://h/console.har', '--har takes a file, not a URL; save the recording first'],
  ...[
    'create',
    ...['max-wait 62s', 'control-url http://127.0.0.1:9/_mock', 'journal journal.jsonl'],
    ...['receiver-listen 8080', 'receiver-url https://tunnel.example.com'],
  ].map((flag): [string, string] => [
    `sources --no-calls --${flag}`,
    `--no-calls and --${flag.replace(/ .*/, '')} cannot be used together; remove one`,
  ]),
  ['connection --header X-Gate', 'set SITEPUB_HEADER_X_GATE or SITEPUB_HEADER_X_GATE_FILE'],
  ['connection --header X-Gate:%20s3cr3t', 'so put the value into SITEPUB_HEADER_X_GATE'],
  ['connection --header X/Gate', 'expected a name of letters, digits, - and _, such as X-Gateway-Token'],
  [
    'SITEPUB_HEADER_AUTHORIZATION=Basic%20s3cr3t connection --header Authorization',
    '--header Authorization: the suite sets Authorization itself, so a gateway cannot use it',
  ],
  ['connection --header Idempotency-Key', 'the suite sets Idempotency-Key itself'],
  ['connection --header Proxy-Authorization', 'put the credentials into HTTPS_PROXY or HTTP_PROXY'],
  [
    'SITEPUB_HEADER_X_GATE=s3cr3t%0D%0AX-Two:%202 connection --header X-Gate',
    'SITEPUB_HEADER_X_GATE contains a character that headers do not allow, such as a line break',
  ],
  [
    'connection --ca nowhere.pem',
    `--ca: nowhere.pem can't be read (there is no file ${resolve('nowhere.pem')}); give the path of a PEM file`,
  ],
  [
    `connection --ca ${emptyFile}`,
    `--ca: ${emptyFile} contains no PEM certificate ("-----BEGIN CERTIFICATE-----"); \`openssl x509 -inform der -in ${emptyFile}\` converts`,
  ],
  ['connection --key any', '--key needs --cert; pass both'],
  ['HTTPS_PROXY=socks5://proxy connection', 'HTTPS_PROXY names a proxy of socks5://, which is not supported'],
  ['mock --tenants 1001', '--tenants is "1001"; expected a whole number from 0 to 1000'],
  ['mock --limits none', '--limits is "none"; expected on or off'],
  ['mock --clock still', '--clock is "still"; expected real or manual'],
  ['mock --log xml', '--log is "xml"; expected text or json'],
  ['mock --log json --quiet', '--quiet and --log cannot be used together'],
  [`mock --tls-cert ${self}`, '--tls-cert needs a private key; add --tls-key FILE'],
  [`mock --tls-key ${self}`, '--tls-key needs a certificate; add --tls-cert FILE'],
  [`mock --tls-cert /no --tls-key ${self}`, "--tls-cert: /no can't be read (there is no file /no)"],
  ['mock --store file:a.db --store-migrate no', '--store-migrate is "no"; expected start or never'],
  ...[
    'postgres://sitepub:s3cr3t@db/sitepub',
    'postgres://db/sitepub?password=s3cr3t',
    'postgres://u:s3/cr3t@db',
    'host=db%20password=s3cr3t',
  ].map((store): [string, string] => [`mock --store ${store}`, '--store contains a password']),
  ['mock --watch --store file:mock.db', '--watch and --store cannot be used together'],
  ...['localhost', ':80', '::1:80', '1.2.3.4:70000', 'http://a:80', '127.0.0.1:'].map(
    (text): [string, string] => [`listen --listen ${text}`, `--listen is "${text}"; ${noHostAndPort}`],
  ),
  ...['100', '600', '20', 'later', '-1'].map((step): [string, string] => [
    `listen --respond 200,${step}`,
    `--respond contains "${step}"; expected a status from 200 to 599, timeout or reset`,
  ]),
  ['listen --forward-to 127.0.0.1:3000', 'expected an http or https URL'],
  ['listen --forward-to http://a/ --respond 200', '--forward-to and --respond cannot be used together'],
  ['listen --secret s3cr3t', 'secrets cannot be passed as flags'],
  ['listen --json --secret s3cr3t --listen 0', 'secrets cannot be passed as flags'],
  ['listen --secret', '--secret needs a signing secret; set SITEPUB_WEBHOOK_SECRET or SITEPUB_WEBHOOK'],
  [
    `SITEPUB_WEBHOOK_SECRET_FILE=${emptyFile} listen`,
    `SITEPUB_WEBHOOK_SECRET_FILE names ${emptyFile}, which contains no secret`,
  ],
  ['SITEPUB_WEBHOOK_SECRET_FILE=/no/file listen', "which can't be read (there is no file /no/file)"],
  ['test-receiver s3cr3t', 'the URL is invalid; expected an http or https URL'],
  ['test-receiver ftp://u:s3cr3t@h/b', 'the URL is "ftp://…@h/b"; expected an http or https URL'],
  ['test-receiver http://a:s3cr3t@c/', 'the URL must contain neither credentials nor a fragment'],
  [`${receiver} --secret`, '--secret needs a signing secret; set SITEPUB_WEBHOOK_SECRET'],
  [`${receiver} --events form.sumbit`, 'there is no event "form.sumbit"; did you mean "form.submit"?'],
  [`${receiver} --only RECV-3`, 'there is no requirement or check of receivers "RECV-3"; did you mean'],
  [`${receiver} --timeout 0`, '--timeout is "0"; expected a time above 0 such as 90s, 36m or 1h'],
  [`${receiver} --site-id 7a`, '--site-id is "7a"; expected a site identifier, which is a whole number'],
])('%s is refused: %s', async ([line, message]) => {
  const refused = expect(read(line)).rejects;
  await refused.toThrow(message);
  await refused.toThrow(UsageError);
  await refused.not.toThrow('s3cr3t');
});

test.for([
  ['https://h/docs', '', true],
  ['https://h/docs', 'https://h/api/v1', true],
  ['https://docs.example.com/x', 'https://h/api/v1', false],
] as const)('sends headers for a gateway to %s with base URL "%s": %s', async ([address, base, isSent]) => {
  const line = `SITEPUB_HEADER_X_GATEWAY=open sources ${base} --openapi ${address} --header X-Gateway`;
  const { headers, connection } = (await read(line)) as SourceOptions;
  expect(headers).toEqual(['X-Gateway']);
  expect(connection?.headers).toEqual(isSent ? { 'X-Gateway': 'open' } : undefined);
});

test.for([
  ['', true],
  ['{}\n', true],
  ['# login.status: 201\n', true],
  ['login.status: 201\n', false],
] as const)('reports that the profile %j states no values: %j', async ([text, isLogged]) => {
  const file = fileOf('mine.yaml', text);
  const told = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => told.mockRestore());
  expect(await read(`mock --profile ${file}`)).toMatchObject({ profile: { name: 'mine' } });
  const notice = `sitepub: the profile ${file} states no values, so all gaps have their defaults; \`sitepub discover\` finds values`;
  expect(told.mock.calls).toEqual(isLogged ? [[notice]] : []);
});

test('--tenants sets the number of tenants, and --limits off allows any number of logins', async () => {
  const given = readLine('--tenants 3 --limits off', mockFlags);
  const mock = await startMock(readStartOptions(given, 0));
  const codes = [];
  for (let count = 0; count < 12; count++) {
    const answer = await sendJson(`${mock.baseUrl}/auth/tenant/login`, mock.tenants[2]?.users[1]);
    codes.push(((await answer.json()) as { code: number }).code);
  }
  await mock.close();
  expect([mock.tenants.length, codes]).toEqual([3, Array(12).fill(0)]);
});
