import { afterEach, expect, test, vi } from 'vitest';
import { secretsOf } from '../../contract-tests/redaction/redact.ts';
import { nameOtherSettings, readCompareOptions, shareSecrets } from './compare-options.ts';
import { readFlags } from './flags.ts';
import { readTestOptions, testFlags } from './test-options.ts';
import { UsageError } from './usage-error.ts';

afterEach(() => vi.unstubAllEnvs());

const own = {
  SITEPUB_USERNAME: 'mei',
  SITEPUB_PASSWORD: 'pw',
  SITEPUB_SITE_ID: '101',
  SITEPUB_API_KEY: 'sp_1',
};
const theirs = { SITEPUB_COMPARE_USERNAME: 'old-mei', SITEPUB_COMPARE_PASSWORD: 'old-pw' };
const base = ['--base-url', 'http://new.example/api/v1', '--profile', 'default'];
const compared = [...base, '--compare-with', 'http://old.example/api/v1/'];

async function read(args: readonly string[], variables: Record<string, string> = {}) {
  const environment = { ...own, ...variables };
  for (const name of Object.keys(process.env)) if (/^SITEPUB_/.test(name)) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const given = readFlags(args, testFlags, environment);
  const options = await readTestOptions(given);
  return { options, other: await readCompareOptions(given, options, process.env) };
}

test('without --compare-with there is no other run', async () => {
  expect((await read(base)).other).toBeUndefined();
});

test('the other run has the same settings, and a journal of its own', async () => {
  const { options, other } = await read([
    ...compared,
    ...['--suite', 'full', '--only', 'ENV-1', '--max-wait', '90s', '--seed', '7', '--journal', 'j'],
    ...['--cases', '3', '--request-timeout', '5s', '--arrival-timeout', '4s', '--har', 'x.har'],
  ]);
  const { keepsExchanges: _kept, ...same } = options;
  expect(other).toEqual({ ...same, baseUrl: 'http://old.example/api/v1', journal: 'j.compare' });
});

test.for<[string, Record<string, string>, object]>([
  ['the same', {}, { account: { username: 'mei', password: 'pw' }, siteId: 101, apiKey: 'sp_1' }],
  ['of the other alone', theirs, { account: { username: 'old-mei', password: 'old-pw' } }],
  ['an API key of the other alone', { SITEPUB_COMPARE_API_KEY: 'sp_2' }, { apiKey: 'sp_2' }],
])('credentials are %s', async ([, variables, want]) => {
  const { account, siteId, apiKey } = (await read(compared, variables)).other ?? {};
  expect(JSON.parse(JSON.stringify({ account, siteId, apiKey }))).toEqual(want);
});

test.for([
  [compared, 'default'],
  [[...compared, '--compare-profile', 'nested-201-uuid'], 'nested-201-uuid'],
] as const)('with %j the profile is %s', async ([args, want]) => {
  expect((await read(args)).other?.profile.name).toBe(want);
});

test.for<[Record<string, string>, string]>([
  [{}, 'one'],
  [{ SITEPUB_COMPARE_HEADER_X_GATE: 'two' }, 'two'],
])('with %j the value of a header is %s', async ([variables, want]) => {
  const { options, other } = await read([...compared, '--header', 'X-Gate'], {
    SITEPUB_HEADER_X_GATE: 'one',
    ...variables,
  });
  expect(other?.connection?.headers).toEqual({ 'X-Gate': want });
  expect(options.connection?.headers).toEqual({ 'X-Gate': 'one' });
});

test.for<[readonly string[], Record<string, string>, string]>([
  [[...base, '--compare-report', 'json=x'], {}, '--compare-report is given and --compare-with is not'],
  [base, { SITEPUB_COMPARE_PROFILE: 'default' }, '--compare-profile is given and --compare-with is not'],
  [[...base, '--compare-with', 'old'], {}, '--compare-with is "old"; expected an http or https URL'],
  [[...base, '--compare-with', 'http://a:b@x/'], {}, '--compare-with is "http://…@x/"; it takes no query'],
  [compared, { SITEPUB_COMPARE_SITE_ID: '7' }, 'there are no credentials; set SITEPUB_COMPARE_USERNAME and'],
  [
    compared,
    { ...theirs, SITEPUB_COMPARE_SECOND_USERNAME: 'old-mei', SITEPUB_COMPARE_SECOND_PASSWORD: 'x' },
    'SITEPUB_COMPARE_USERNAME and SITEPUB_COMPARE_SECOND_USERNAME are the same',
  ],
])('%j with %j is refused', async ([args, variables, want]) => {
  await expect(read(args, variables)).rejects.toThrow(want);
  await expect(read(args, variables)).rejects.toThrow(UsageError);
});

test.for<[Record<string, string>, string]>([
  [{}, 'check --compare-with, SITEPUB_USERNAME and SITEPUB_PASSWORD, or --compare-control-url'],
  [
    theirs,
    'check --compare-with, SITEPUB_COMPARE_USERNAME and SITEPUB_COMPARE_PASSWORD, or --compare-control-url',
  ],
])('with %j, messages name the settings of the other deployment', ([variables, want]) => {
  const text = 'check --base-url, SITEPUB_USERNAME and SITEPUB_PASSWORD, or --control-url';
  expect(nameOtherSettings(text, variables)).toBe(want);
});

test('both runs hide the secrets of both, each by the variable that holds it', async () => {
  const variables = { ...theirs, SITEPUB_COMPARE_API_KEY: 'sp_2', SITEPUB_PASSWORD: 'new-pw' };
  const { options, other } = await read(compared, variables);
  if (!other) throw new Error('there is no other run');
  shareSecrets(options, other);
  const want = '{SITEPUB_PASSWORD} {SITEPUB_API_KEY} {SITEPUB_COMPARE_PASSWORD} {SITEPUB_COMPARE_API_KEY}';
  for (const one of [options, other]) expect(secretsOf(one).redact('new-pw sp_1 old-pw sp_2')).toBe(want);
});

test.for([
  ['the same password at both', {}, '{SITEPUB_PASSWORD}', '{SITEPUB_PASSWORD}'],
  [
    'the same password in both variables',
    { SITEPUB_COMPARE_USERNAME: 'old-mei', SITEPUB_COMPARE_PASSWORD: 'password' },
    '{SITEPUB_PASSWORD}',
    '{SITEPUB_COMPARE_PASSWORD}',
  ],
] as const)('%s has the name of the run', async ([, variables, here, there]) => {
  const { options, other } = await read(compared, { SITEPUB_PASSWORD: 'password', ...variables });
  if (!other) throw new Error('there is no other run');
  shareSecrets(options, other);
  expect([options, other].map((one) => secretsOf(one).redact('password'))).toEqual([here, there]);
});
