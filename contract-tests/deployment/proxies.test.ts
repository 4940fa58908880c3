import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../core/suite-options.ts';
import { createClient } from './http-client.ts';
import { stagingHost } from './testing/authority.ts';
import { type ForwardProxy, startForwardProxy } from './testing/forward-proxy.ts';
import { startGateway } from './testing/gateway.ts';

async function opened<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  onTestFinished(() => started.close());
  return started;
}

test('sends http, even malformed paths, to a proxy in absolute form, with credentials only for the proxy', async () => {
  const { port } = await opened(startGateway({}));
  const proxy = await opened(
    startForwardProxy({ ports: { [stagingHost]: port }, credentials: 'mei:p@ss%w/rd' }),
  );
  const send = clientOf('http:', throughProxy(proxy, 'http_proxy'));
  const answers = [await send('/one?a=b'), await send('/%zz')];
  const host = { host: stagingHost, proxied: false, method: 'POST' };
  expect(answers.map(({ json }) => json)).toEqual([
    { ...host, url: '/api/v1/one?a=b' },
    { ...host, url: '/api/v1/%zz' },
  ]);
  expect(proxy.seen).toEqual([
    `POST http://${stagingHost}/api/v1/one?a=b`,
    `POST http://${stagingHost}/api/v1/%zz`,
  ]);
});

test('a 407 of the proxy is not an answer of the deployment', async () => {
  const proxy = await opened(startForwardProxy({ ports: {}, credentials: 'mei:secret' }));
  const { origin } = new URL(proxy.url);
  const asked = `the proxy ${origin} refused the credentials (407); set them in HTTP_PROXY, for example http://user:password@host:port`;
  const connection = { proxy: { url: origin, variable: 'HTTP_PROXY' } };
  for (const scheme of ['http:', 'https:'] as const)
    await expect(clientOf(scheme, connection)('/x')).rejects.toThrow(
      expect.objectContaining({
        message: `POST /api/v1/x got no answer: ${asked}`,
        isCertain: true,
      }),
    );
});

test('a 407 of the deployment is an answer', async () => {
  const { url: address } = await opened(startForwardProxy({ ports: {}, credentials: 'mei:secret' }));
  const url = `${new URL(address).origin}/x`;
  const send = createClient({ baseUrl: url }, 5_000);
  expect((await send({ method: 'GET', url, headers: {}, body: undefined })).status).toBe(407);
});

test('names an unreachable proxy and how to bypass it', async () => {
  const connection = { proxy: { url: 'http://127.0.0.1:9', variable: 'https_proxy' } };
  await expect(clientOf('https:', connection)('/x')).rejects.toThrow(
    'connect ECONNREFUSED 127.0.0.1:9 (through the proxy http://127.0.0.1:9 from https_proxy; set NO_PROXY to connect directly)',
  );
});

test.for([
  ['403 Forbidden', true, /the proxy refused the request: it answered 403 Forbidden \(through the proxy/],
  ['502 Bad Gateway', false, /no answer: the proxy opened no tunnel: it answered 502 Bad Gateway \(through/],
  ['silent', false, /no answer: no complete answer within 0\.5 s \(through/],
  ['dead-end', false, /no answer: no complete answer within 0\.5 s \(through/],
] as const)('reports a tunnel that ends in "%s" in bounded time', async ([tunnels, isCertain, want]) => {
  const proxy = await opened(startForwardProxy({ ports: {} }));
  proxy.tunnels = tunnels;
  const startedAt = performance.now();
  const message = expect.stringMatching(want);
  await expect(clientOf('https:', throughProxy(proxy, 'HTTPS_PROXY'), 500)('/x')).rejects.toThrow(
    expect.objectContaining({ message, isCertain }),
  );
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

function clientOf(scheme: 'http:' | 'https:', connection: Connection, timeoutMs = 5_000) {
  const baseUrl = `${scheme}//${stagingHost}/api/v1`;
  const send = createClient({ baseUrl, connection }, timeoutMs);
  return (path: string) => send({ method: 'POST', url: `${baseUrl}${path}`, headers: {}, body: '{}' });
}

function throughProxy({ url }: ForwardProxy, variable: string): Connection {
  return { proxy: { url, variable } };
}
