// @module-tag ci
// The preflight ends a run only if it proves that a setting is wrong; otherwise the checks decide.
import { expect, test } from 'vitest';
import { profileWith } from '../../mock/testing/open-mock.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { type MockRun, requirementsThat, runAgainstMock } from './run-against-mock.ts';
import { changingData, htmlPage, isAbout, isLogin, refuse, refusing } from './tampering.ts';
import type { Message, Tamper } from './tampering-proxy.ts';
import { useUpLogins } from './verdicts/session-rows.ts';

const only = (...ids: string[]): Partial<SuiteOptions> => ({ only: ids });
const isAboutSite = ({ path }: Message) => /\/tenant\/sites\/\d/.test(path);
const byKey = ({ headers }: Message) => headers.authorization?.startsWith('Bearer sp_') ?? false;

/** Changes the data of each login. */
const login = (change: (data: Record<string, unknown>) => Record<string, unknown>) => () =>
  changingData(isLogin, change);

const isList = isAbout('GET', /\/tenant\/sites(\?|$)/);
const isDetail = isAbout('GET', /\/tenant\/sites\/101$/);

/** Chains two tamperings. */
const inTurn =
  (first: Tamper, second: Tamper): Tamper =>
  (message, forward) =>
    first(message, async (changed) => second(changed, forward));

/** Lists only the second site. */
const shortList = () =>
  changingData(
    ({ message }) => isList(message),
    () => ({ list: [{ site_id: 102, site_name: 'b' }], total: 1 }),
  );

test.for<[status: number, headers: Record<string, string>, reason: RegExp]>([
  [200, {}, /does not answer the login with the envelope .*this may not be the service; check --base-url$/],
  [
    302,
    { location: 'https://login.example/' },
    /it redirects to https:\/\/login\.example\/: pass that address as --base-url/,
  ],
  [
    302,
    { location: 'http://login.example/api/v1/auth/tenant/login' },
    /it redirects to http:\/\/login\.example\/api\/v1\/auth\/tenant\/login: pass that address as --base-url/,
  ],
  [401, { 'www-authenticate': 'Basic' }, /asks for credentials: send them with --header$/],
  [403, {}, /a gateway in front of the service refuses this machine: .*--header$/],
  [429, { 'retry-after': '30' }, /the login was rate limited .*run again in a minute/],
  [502, {}, /a gateway answered instead .*; check --base-url and that the service is running$/],
])('a page with status %i in front of the service ends the run', async ([status, headers, reason]) => {
  const tamper = () => () => htmlPage(status, '<p>No</p>', headers);
  const report = await runAgainstMock({ tamper, control: false });
  expect(report.aborted?.reason).toMatch(reason);
  expect(report.aborted?.kind).toMatch(/^(unreachable|rate-limited)$/);
  expect(report.summary).toMatchObject({ passed: 0, failed: 0, partly: 0, error: 0 });
});

const account = (password: string) => ({
  options: { account: { username: 'mei@harbour-cafe.example', password } },
});

test.for<[name: string, trial: MockRun, reason: RegExp]>([
  [
    'a wrong password',
    account('wrong'),
    /the login of mei@.* was refused .*; check SITEPUB_USERNAME and SITEPUB_PASSWORD$/,
  ],
  [
    'an API key as password',
    account('sp_0123456789abcdef'),
    /SITEPUB_PASSWORD begins with sp_ like an API key: set that value as SITEPUB_API_KEY/,
  ],
  [
    'a password with a line end',
    account('correct-horse-battery\n'),
    /the password begins or ends with white space$/,
  ],
  [
    'a token at another place',
    { told: profileWith({ 'login.token': '/data/accessToken' }) },
    /\/data\/token looks like the token/,
  ],
  [
    'a text that is not a token at the place of the token',
    {
      told: profileWith({ 'login.token': '/data/ticket' }),
      tamper: login((data) => ({ ...data, ticket: 'tk_0123456789abcdef' })),
    },
    /login\.token \(\/data\/ticket\) contains a value that is refused, but \/data\/token looks like the token/,
  ],
  ['a site that does not exist', { options: { siteId: 999 } }, /no access to site 999 .* 101, 102/],
  [
    'a site that does not exist, with only the documented calls',
    {
      told: profileWith({
        'operation.get-site': 'not-offered',
        'operation.list-subscriptions': 'not-offered',
      }),
      options: { siteId: 999 },
    },
    /no access to site 999/,
  ],
  ['a wrong API key', { options: { apiKey: 'sp_0123456789abcdef' } }, /check SITEPUB_API_KEY/],
  [
    'a list of sites at a path that does not exist',
    { told: profileWith({ 'operation.list-sites': { method: 'GET', path: '/sites', list: '/data/list' } }) },
    /operation\.list-sites \(GET \/sites\) like an unknown path/,
  ],
])('%s ends the run as a wrong setting', async ([, trial, reason]) => {
  const report = await runAgainstMock({ ...trial, control: false });
  expect(report.aborted?.reason).toMatch(reason);
  expect(report.aborted?.kind).toMatch(/^(usage|credentials)$/);
  expect(report.summary).toMatchObject({ passed: 0, failed: 0, partly: 0, error: 0 });
});

test.for<[name: string, trial: MockRun]>([
  [
    'another token beside the right one',
    { tamper: login((data) => ({ refresh_token: 'rt_0123456789abcdef', ...data })) },
  ],
  ['a list without the site, which is accepted', { tamper: shortList }],
  [
    'keys that only the documented calls accept',
    { tamper: () => refusing((message) => byKey(message) && !/\/webhooks/.test(message.path), 401) },
  ],
  ['a service that refuses every site', { tamper: () => refusing(isAboutSite, 404) }],
  [
    'a list without the site, which another call knows',
    { tamper: () => inTurn(refusing(isDetail, 404), shortList()) },
  ],
  [
    'a list that is refused like an unknown path, but checks tokens',
    {
      tamper:
        ({ main }) =>
        async (message, forward) => {
          if (!isList(message)) return forward(message);
          const reply = await forward(message);
          return reply.status === 200 ? forward({ ...message, path: `/api/v1/${main.apiKey}` }) : reply;
        },
    },
  ],
  [
    'a service that refuses every site, and a list without the given one',
    { tamper: () => refusing(isAboutSite, 404), options: { siteId: 999 } },
  ],
  [
    'an API key created right before the run',
    {
      told: profileWith({ 'operation.list-sites': 'unknown' }),
      ...{ variations: ['late-effects'], control: true },
    },
  ],
  ['no API key', { options: { apiKey: '' } }],
  ['a login that shows no token', { tamper: login(() => ({ user_name: 'Mei Lin', role: 'owner' })) }],
])('%s leads to the checks', async ([, trial]) => {
  const options = { ...only('VERSION-1'), ...trial.options };
  const report = await runAgainstMock({ control: false, ...trial, options });
  expect(report.aborted).toBeNull();
  expect(requirementsThat('passed', report)).toEqual(['VERSION-1']);
});

test('an unusable control API ends the run as a wrong setting', async () => {
  const report = await runAgainstMock({
    options: { controlUrl: 'http://127.0.0.1:9/_mock', only: ['ENV-1'] },
  });
  expect(report.aborted).toMatchObject({
    kind: 'usage',
    reason: expect.stringMatching(/^the control API did not answer GET \/clock/),
  });
});

const rewritten = (change: (text: string) => Buffer | string) => (): Tamper => async (message, forward) => {
  const { body, ...reply } = await forward(message);
  return { ...reply, body: Buffer.from(change(body.toString())) };
};

test.for<[name: string, change: (text: string) => Buffer | string, reason: RegExp]>([
  ['UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'), /is in UTF-16 instead of UTF-8; see ENV-7/],
  ['a guard', (text) => `)]}',\n${text}`, /has a guard such as/],
  ['NaN', (text) => text.replace('"message"', '"x":NaN,"message"'), /has a value NaN, Infinity or undefined/],
] as const)('explains why the answer to the login is not JSON: %s', async ([, change, reason]) => {
  const report = await runAgainstMock({ tamper: rewritten(change), options: only('ENV-7') });
  expect(report.aborted?.reason).toMatch(reason);
  expect(report.aborted?.reason).not.toMatch(/--base-url/);
});

test('accepts white space around JSON', async () => {
  const report = await runAgainstMock({
    tamper: rewritten((text) => `\r\n\n ${text}\n\n`),
    options: only('ENV-7', 'LOGIN-1'),
  });
  expect(requirementsThat('passed', report)).toEqual(['ENV-7', 'LOGIN-1']);
});

test('reports a service that is down, not used-up logins', async () => {
  const down: Tamper = () => {
    const reply = refuse(503, 50300);
    return { ...reply, headers: { ...reply.headers, 'retry-after': '1' } };
  };
  const report = await runAgainstMock({ tamper: () => down, options: only('LOGIN-1') });
  expect(report.aborted?.kind).toBe('unreachable');
  expect(report.aborted?.reason).toMatch(/the login at .* fails .* is down; try again later/);
});

test('ends the run without failures if other clients used up the logins', async () => {
  const report = await runAgainstMock({ sabotage: (mock) => useUpLogins(mock, 10), control: false });
  expect(report.aborted).toMatchObject({ kind: 'rate-limited' });
  expect(report.summary).toMatchObject({ passed: 0, failed: 0, partly: 0, error: 0 });
});

test('repeats a login that fails once', async () => {
  let count = 0;
  const tamper = refusing(({ path }) => path.endsWith('/auth/tenant/login') && count++ === 0, 500);
  const report = await runAgainstMock({ tamper: () => tamper, options: only('LOGIN-2') });
  expect(report.aborted).toBeNull();
  expect(requirementsThat('passed', report)).toEqual(['LOGIN-2']);
});

test('deletes the key that it creates to judge a wrong one', async () => {
  const calls: string[] = [];
  const tamper = (): Tamper => async (message, forward) => {
    const reply = await forward(message);
    if (/keys/.test(message.path) && message.method !== 'GET' && reply.status < 300)
      calls.push(message.method);
    return reply;
  };
  const options = { apiKey: 'sp_0123456789abcdef0123456789abcdef', ...only('AUTH-3') };
  const report = await runAgainstMock({ tamper, options });
  expect(report.aborted?.reason).toMatch(/check SITEPUB_API_KEY/);
  expect(report.leftovers).toEqual([]);
  expect(calls).toEqual(['POST', 'DELETE']);
});
