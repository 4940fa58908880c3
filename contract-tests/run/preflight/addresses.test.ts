import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:tls';
import { expect, test } from 'vitest';
import type { SuiteOptions } from '../../core/suite-options.ts';
import { createFlood, listenTo } from '../../testing.ts';
import { checkAddresses, checkScheme } from './check-addresses.ts';
import { answersLogin, nearAddresses } from './other-address.ts';

test('an address without a server is unreachable, even if a similar address answers', async () => {
  const options = { baseUrl: 'http://127.0.0.1:9/api/v1', receiver: {} } as SuiteOptions;
  const findOther = async () => 'http://127.0.0.1:4010/api/v1';
  expect(await checkAddresses(options, findOther)).toEqual({
    kind: 'unreachable',
    reason: expect.stringMatching(
      /connection refused.*; did you mean http:\/\/127\.0\.0\.1:4010\/api\/v1\?$/,
    ),
  });
});

test.for(['http', 'https'] as const)('recognizes a server that speaks %s', async (right) => {
  // Without a certificate, the server answers with a TLS alert.
  const server = right === 'http' ? createServer() : createTlsServer({}).on('tlsClientError', () => {});
  await using opened = await listenTo(server);
  const { port } = opened;
  const spoken = right === 'http' ? 'https' : 'http';
  const reason = `the server at ${spoken}://127.0.0.1:${port}/api/v1 speaks ${right}, not ${spoken}; did you mean ${right}://127.0.0.1:${port}/api/v1?`;
  expect(await checkScheme(`${spoken}://127.0.0.1:${port}/api/v1`)).toEqual({ kind: 'usage', reason });
  expect(await checkScheme(`${right}://127.0.0.1:${port}/api/v1`)).toBeUndefined();
});

test('gives up on an endless answer', async () => {
  const flood = createFlood();
  const server = createServer((_request, response) => {
    flood.fill(response.writeHead(200, { 'Content-Type': 'application/json' }));
  });
  await using opened = await listenTo(server);
  expect(await answersLogin(`${opened.origin}/api/v1`)).toBe(false);
  expect(flood.megabytes()).toBeLessThan(64);
});

test('leaves name resolution to a proxy', async () => {
  const options = { baseUrl: 'http://staging.invalid/api/v1', receiver: { url: 'https://hooks.invalid' } };
  const connection = { proxy: 'http://127.0.0.1:9' } as unknown as NonNullable<SuiteOptions['connection']>;
  expect(await checkAddresses({ ...options, connection } as SuiteOptions)).toBeUndefined();
  expect(await checkAddresses(options as SuiteOptions)).toBeDefined();
});

test.for<[given: string, doubt: 'path' | 'origin', want: string[]]>([
  ['http://a.example', 'path', ['http://a.example/api/v1']],
  ['http://a.example/v1', 'path', ['http://a.example/api/v1', 'http://a.example/v1/api/v1']],
  ['http://a.example/api', 'path', ['http://a.example/api/v1', 'http://a.example/api/api/v1']],
  ['http://a.example/x/api/v1/auth', 'path', ['http://a.example/x/api/v1', 'http://a.example/api/v1']],
  ['https://a.example/api/v1', 'origin', ['http://a.example/api/v1']],
  [
    'https://localhost:8080/api/v1',
    'origin',
    [
      'http://localhost:8080/api/v1',
      'https://localhost/api/v1',
      'http://localhost/api/v1',
      'http://localhost:4010/api/v1',
    ],
  ],
])('suggests addresses near %s with a doubtful %s: %j', ([given, doubt, want]) => {
  expect(nearAddresses(given, doubt)).toEqual(want);
});
