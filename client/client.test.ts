// Tests the client with a fake fetch; contract-tests/self/client.test.ts tests it against mocks.
import { expect, test } from 'vitest';
import { type ClientOptions, createClient } from './client.ts';
import { createLoginBudget } from './session.ts';

const baseUrl = 'http://127.0.0.1:9/api/v1';
const envelope = { code: 0, message: 'success', trace_id: 't1', data: { list: [], total: 0 } };

test.for([
  [
    'HTML',
    () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    'with a body that is not the service',
  ],
  ['an empty body', () => new Response('', { status: 200 }), 'with an empty body (HTTP 200)'],
  ['no content', () => new Response(null, { status: 204 }), 'with an empty body (HTTP 204)'],
  [
    'other JSON',
    () => Response.json({ status: 'ok' }),
    'check that baseUrl is the address of the service and ends in',
  ],
  ['null', () => Response.json(null), 'with a body that is not'],
  ['half an envelope', () => Response.json({ code: 0, data: {} }), 'with a body that is not'],
  ['a code as text', () => Response.json({ ...envelope, code: '0' }), 'with a body that is not'],
  [
    'a redirect',
    () => new Response(null, { status: 302, headers: { Location: 'https://login.example/?key=1' } }),
    'was redirected (HTTP 302) to https://login.example/; ',
  ],
] as const)('throws AnswerError for an answer that is %s', async ([, answer, message]) => {
  const error = await failureOf(async () => answer());
  expect(error).toMatchObject({ name: 'AnswerError', call: 'GET /tenant/sites' });
  expect(String(error)).toContain(message);
  expect(String(error)).not.toContain('key=1');
});

// contract-tests/self/client.test.ts tests a service that is down.
test('throws ConnectionError for an incomplete answer', async () => {
  const broken = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });
  expect(await failureOf(async () => new Response(broken))).toMatchObject({
    name: 'ConnectionError',
    call: 'GET /tenant/sites',
    message: 'GET /tenant/sites got no answer from 127.0.0.1:9 (terminated)',
    cause: expect.any(TypeError),
  });
});

test('throws the error of fetch if the caller aborts', async () => {
  const client = open({ fetch: (request) => fetch(request) });
  const signal = AbortSignal.abort();
  await expect(client.GET('/tenant/sites', { signal })).rejects.toMatchObject({ name: 'AbortError' });
});

test('recognizes a success by its code, with any status', async () => {
  const client = open({ fetch: async () => Response.json(envelope, { status: 500 }) });
  expect(await client.GET('/tenant/sites')).toEqual(envelope.data);
});

test.for([
  [{ code: 4711, status: 401 }, ['/tenant/sites', '/auth/refresh']],
  [{ code: 40101, status: 400 }, ['/tenant/sites', '/auth/refresh']],
  [{ code: 4711, status: 403 }, ['/tenant/sites']],
] as const)('decides by the refusal %j whether to renew the session', async ([{ code, status }, want]) => {
  const { client, calls } = openScripted({
    '/tenant/sites': async () => Response.json({ ...envelope, code }, { status }),
    '/auth/refresh': async () => Response.json({ ...envelope, code: 1 }),
  });
  await expect(client.GET('/tenant/sites')).rejects.toMatchObject({ code });
  expect(calls).toEqual(want);
});

test('does not log in if the renewal gets no answer', async () => {
  const { client, calls } = openScripted(
    {
      '/tenant/sites': async () => Response.json({ ...envelope, code: 40101 }),
      '/auth/refresh': () => Promise.reject(new TypeError('fetch failed')),
    },
    { username: 'mei', password: 'pw' },
  );
  const cause = { name: 'ConnectionError', call: 'POST /auth/refresh' };
  await expect(client.GET('/tenant/sites')).rejects.toMatchObject({ code: 40101, cause });
  expect(calls).toEqual(['/tenant/sites', '/auth/refresh']);
});

test('hides secrets that the service repeats', async () => {
  const message = 'the key sp_0123456789 is unknown, and so is sp_0123456789';
  const answer = Response.json({ code: 1, message, trace_id: 't' });
  expect(String(await failureOf(async () => answer, { apiKey: 'sp_0123456789' }))).toBe(
    'BusinessError: the key … is unknown, and so is …',
  );
});

test('sends the given key and headers, and follows no redirect', async () => {
  const seen: Request[] = [];
  const client = open({
    apiKey: 'sp_1',
    headers: { 'X-Team': 'shop' },
    fetch: async (request) => {
      seen.push(request);
      return Response.json(envelope);
    },
  });
  await client.GET('/tenant/sites', { headers: { 'X-Request': '7' } });
  await client.GET('/tenant/sites', { headers: { Authorization: 'Bearer own' } });
  const [first, second] = seen;
  expect(Object.fromEntries(first?.headers ?? [])).toEqual({
    authorization: 'Bearer sp_1',
    'x-request': '7',
    'x-team': 'shop',
  });
  expect(first?.url).toBe('http://127.0.0.1:9/api/v1/tenant/sites');
  expect(first?.redirect).toBe('manual');
  expect(second?.headers.get('authorization')).toBe('Bearer own');
});

test.for([
  [{ baseUrl: 'localhost:4010' }, 'baseUrl must be an http(s) URL'],
  [
    { baseUrl: 'http://mei:pw-1234@host/api/v1' },
    'baseUrl must not contain a user, password, query or fragment',
  ],
  [{ baseUrl, apiKey: 'sp_1\n' }, 'apiKey contains a space, a line break'],
  [{ baseUrl, apiKey: '' }, 'apiKey is empty'],
  [{ baseUrl, apiKey: 'sp_1', token: 'st_1' }, 'apiKey cannot be combined'],
  [{ baseUrl, username: 'mei' }, 'a login needs both username and password'],
  [{ baseUrl, password: 'pw-1234' }, 'a login needs both username and password'],
] as const)('refuses the options %j', ([options, message]) => {
  expect(() => createClient(options)).toThrow(message);
  expect(() => createClient(options)).not.toThrow(/sp_1|st_1|pw-1234/);
});

function open(options: Partial<ClientOptions>) {
  return createClient({ baseUrl, ...options });
}

/** Opens a client with a session and a fake service with the given answers by path. */
function openScripted(
  answers: Record<string, () => Promise<Response>>,
  options: Partial<ClientOptions> = {},
) {
  const calls: string[] = [];
  const client = open({
    token: 'st_1',
    ...options,
    fetch: async ({ url }) => {
      const path = url.slice(baseUrl.length);
      calls.push(path);
      return (await answers[path]?.()) ?? Response.error();
    },
  });
  return { client, calls };
}

function failureOf(
  fetch: NonNullable<ClientOptions['fetch']>,
  options: Partial<ClientOptions> = {},
): Promise<unknown> {
  const client = open({ ...options, fetch });
  return client.GET('/tenant/sites').catch((error: unknown) => error);
}

test('allows five logins a minute, and says when the next one is possible', () => {
  let time = 0;
  const budget = createLoginBudget(() => time);
  const takeAt = (at: number) => {
    time = at;
    return budget.takeLogin();
  };
  expect([0, 10_000, 20_000, 30_000, 40_000].map(takeAt)).toEqual([0, 0, 0, 0, 0]);
  expect([40_000, 59_999].map(takeAt)).toEqual([20_000, 1]);
  expect([60_000, 60_001, 70_000].map(takeAt)).toEqual([0, 9_999, 0]);
});
