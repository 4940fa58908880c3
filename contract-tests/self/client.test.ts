// The client against mocks of several profiles; client/*.test.ts replaces the network instead.
import { expect, onTestFinished, test } from 'vitest';
import { BusinessError, type ClientOptions, createClient } from '../../client/client.ts';
import { startMock } from '../../mock/start.ts';
import { loadProfile } from '../../openapi/profile.ts';

const profiles = ['default', 'always-200-camel-case', 'nested-201-uuid'] as const;

test.for(profiles)('logs in and returns data with the profile %s', async (name) => {
  const { client, subscribe, logins } = await open(name);
  const created = await client.POST(subscriptions, subscribe());
  expect(created).toBeTypeOf('object');
  expect(created).not.toHaveProperty('trace_id');
  await client.POST(subscriptions, subscribe());
  expect(logins()).toEqual({ login: 1, refresh: 0 });
});

test.for(profiles)('throws a typed error for a refusal with the profile %s', async (name) => {
  const { client, profile, subscribe } = await open(name);
  const error = await client.POST(subscriptions, subscribe('slack')).catch((thrown: unknown) => thrown);
  if (!(error instanceof BusinessError)) throw error;
  expect(error).toMatchObject({
    name: 'BusinessError',
    code: profile.values['errors.codes']['invalid-request'],
    call: 'POST /tenant/sites/{siteID}/webhooks',
    status: { default: 400, 'always-200-camel-case': 200, 'nested-201-uuid': 422 }[name],
    traceId: expect.stringMatching(/./),
    message: expect.stringContaining('expected one of "custom", "wecom", "dingtalk", "feishu"'),
  });
});

test.for(profiles)('renews an expired session once for all calls with the profile %s', async (name) => {
  const { client, mock, subscribe, logins } = await open(name);
  await client.POST(subscriptions, subscribe());
  mock.control.expireTokens();
  await Promise.all(Array.from({ length: 8 }, () => client.POST(subscriptions, subscribe())));
  expect(logins()).toEqual({ login: 1, refresh: 1 });
  await client.POST(subscriptions, subscribe());
  expect(logins()).toEqual({ login: 1, refresh: 1 });
});

test.for(profiles)('logs in again if a session is too old to renew, with the profile %s', async (name) => {
  const { client, mock, subscribe, logins } = await open(name);
  await client.POST(subscriptions, subscribe());
  await mock.control.advance('P30D');
  await Promise.all(Array.from({ length: 8 }, () => client.POST(subscriptions, subscribe())));
  expect(logins()).toEqual({ login: 2, refresh: 1 });
});

test.for(profiles)('needs no login with an API key and the profile %s', async (name) => {
  const { mock, subscribe, logins, withOptions } = await open(name);
  const withKey = withOptions({ apiKey: String(mock.tenants[0]?.apiKey) });
  await withKey.POST(subscriptions, subscribe());
  const withBadKey = withOptions({ apiKey: 'sp_invented' });
  await expect(withBadKey.POST(subscriptions, subscribe())).rejects.toThrow(BusinessError);
  expect(logins()).toEqual({ login: 0, refresh: 0 });
});

test('logs in once for twelve first calls at the same time', async () => {
  const { client, subscribe, logins } = await open('default');
  await Promise.all(Array.from({ length: 12 }, () => client.POST(subscriptions, subscribe())));
  expect(logins()).toEqual({ login: 1, refresh: 0 });
});

test('throws the refusal after at most five logins if every token is refused', async () => {
  const { client, mock, subscribe, logins } = await open('default');
  mock.control.override({ operation: 'createSubscription', code: 40101 });
  mock.control.override({ operation: 'refresh', code: 40100 });
  for (let turn = 0; turn < 12; turn += 1)
    await expect(client.POST(subscriptions, subscribe())).rejects.toMatchObject({ code: 40101 });
  expect(logins().login).toBe(5);
  await expect(client.POST(subscriptions, subscribe())).rejects.toMatchObject({
    cause: { name: 'LoginBudgetError', message: expect.stringMatching(/five within a minute.* in \d+ s$/) },
  });
});

test('renews a given token, and throws its refusal if it has no login', async () => {
  const { mock, subscribe, logins, withOptions, client } = await open('default');
  const { token } = await client.POST('/auth/tenant/login', { body: mock.account });
  const withToken = withOptions({ token });
  mock.control.expireTokens();
  await withToken.POST(subscriptions, subscribe());
  expect(logins()).toEqual({ login: 1, refresh: 1 });
  await mock.control.advance('P30D');
  await expect(withToken.POST(subscriptions, subscribe())).rejects.toMatchObject({
    code: 40101,
    cause: { name: 'BusinessError', call: 'POST /auth/refresh' },
  });
});

test('reports a refused login without the password', async () => {
  const { withOptions, subscribe } = await open('default');
  const wrong = withOptions({ username: 'mei@harbour-cafe.example', password: 'hunter2-hunter2' });
  const error = await wrong.POST(subscriptions, subscribe()).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'BusinessError', code: 40102, call: 'POST /auth/tenant/login' });
  expect(JSON.stringify([error, String(error)])).not.toContain('hunter2');
});

test('accepts other codes for an expired session', async () => {
  const { mock, subscribe, logins, withOptions } = await open('always-200-camel-case');
  const client = withOptions({ ...mock.account, profile: mock.profile.values, expiredCodes: [4711] });
  await client.POST(subscriptions, subscribe());
  mock.control.override({ operation: 'createSubscription', code: 4711, times: 1 });
  await client.POST(subscriptions, subscribe());
  expect(logins()).toEqual({ login: 1, refresh: 1 });
});

test('reports a wrong token pointer with the member names of the answer', async () => {
  const { mock, subscribe, withOptions } = await open('always-200-camel-case');
  const client = withOptions({ ...mock.account, profile: {} });
  await expect(client.POST(subscriptions, subscribe())).rejects.toThrow(
    "POST /auth/tenant/login succeeded, but there is no token at /data/token of the answer, which has /data/accessToken, /data/expiresIn; state its place with profile: { 'login.token': '/data/…' }",
  );
});

test('throws a ConnectionError with the reason if the service is down', async () => {
  const { client, mock, subscribe } = await open('default');
  await mock.close();
  await expect(client.POST(subscriptions, subscribe())).rejects.toMatchObject({
    name: 'ConnectionError',
    message: `POST /auth/tenant/login got no answer from ${new URL(mock.baseUrl).host} (ECONNREFUSED)`,
  });
});

const subscriptions = '/tenant/sites/{siteID}/webhooks';

/** Documented endpoints with any profile. */
interface AnyPaths {
  [subscriptions]: {
    post: { parameters: { path: { siteID: number } } } & Operation<Record<string, unknown>>;
  };
  '/auth/tenant/login': { post: { parameters: object } & Operation<{ token: string }> };
}

interface Operation<Data> {
  requestBody: { content: { 'application/json': Record<string, unknown> } };
  responses: { 200: { content: { 'application/json': { data: Data } } } };
}

async function open(name: string) {
  const profile = loadProfile(name);
  const mock = await startMock({ profile });
  onTestFinished(() => mock.close());
  const { username = '', password = '' } = mock.tenants[0]?.users[0] ?? {};
  const account = { username, password };
  const { values } = profile;
  const withOptions = (options: Omit<ClientOptions, 'baseUrl'>) =>
    createClient<AnyPaths>({ baseUrl: mock.baseUrl, ...options });
  const countOf = (operation: 'login' | 'refresh') => mock.control.requests({ operation }).total;
  return {
    mock: { ...mock, profile, account },
    profile,
    withOptions,
    client: withOptions({ ...account, profile: values }),
    logins: () => ({ login: countOf('login'), refresh: countOf('refresh') }),
    subscribe: (channel = 'custom') => ({
      params: { path: { siteID: Number(mock.tenants[0]?.sites[0]?.id) } },
      body: {
        [values['subscription.request.url']]: 'http://127.0.0.1:9/hook',
        [values['subscription.request.events']]: ['publish.complete'],
        [values['subscription.request.channel']]: channel,
      },
    }),
  };
}
