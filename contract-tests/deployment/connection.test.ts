// Deployments behind a private authority, with and without a proxy before them, and those that ask for a client certificate.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connection } from '../core/suite-options.ts';
import { sayConnection } from './connection.ts';
import { createClient } from './http-client.ts';
import { type Authority, createAuthority, hasOpenssl, stagingHost } from './testing/authority.ts';
import { type ForwardProxy, startForwardProxy } from './testing/forward-proxy.ts';
import { type Gateway, startGateway } from './testing/gateway.ts';

let authority: Authority;
let other: Authority;
let plain: Gateway;
let strict: Gateway;
let proxy: ForwardProxy;

beforeAll(async () => {
  if (!hasOpenssl) return;
  [authority, other] = [createAuthority(), createAuthority()];
  plain = await startGateway({ authority });
  strict = await startGateway({ authority, asksForCertificate: true });
  proxy = await startForwardProxy({ ports: { [stagingHost]: strict.port }, credentials: 'mei:p@ss' });
});

afterAll(async () => {
  if (!hasOpenssl) return;
  for (const one of [plain, strict, proxy]) await one.close();
  for (const one of [authority, other]) one.remove();
});

test.skipIf(!hasOpenssl)(
  'a private authority is trusted where it is named, and nowhere else (needs openssl)',
  async () => {
    const message =
      'POST /x got no answer: its certificate is signed by an authority that this machine does not trust (self-signed certificate in certificate chain); --ca FILE names a private one';
    await expect(call(plain, undefined)).rejects.toThrow(
      expect.objectContaining({ message, isCertain: true }),
    );
    await expect(call(plain, { ca: other.ca })).rejects.toThrow('--ca FILE names a private one');
    expect(await call(plain, { ca: authority.ca })).toBe(200);
    await expect(call(plain, undefined)).rejects.toThrow('--ca FILE names a private one');
  },
);

test.skipIf(!hasOpenssl)(
  'a certificate for another host is refused, with a private authority too (needs openssl)',
  async () => {
    const url = `https://localhost:${plain.port}/x`;
    const send = createClient({ baseUrl: url, connection: { ca: authority.ca } }, 5_000);
    await expect(send({ method: 'GET', url, headers: {}, body: undefined })).rejects.toThrow(
      /its certificate is not accepted: Hostname\/IP does not match certificate's altnames/,
    );
  },
);

test.skipIf(!hasOpenssl)('a client certificate is shown where one is asked for (needs openssl)', async () => {
  const { ca, client, lockedKey } = authority;
  const asked =
    'it asks for a client certificate (TLS alert certificate required); give one with --cert FILE and --key FILE';
  const expected = expect.objectContaining({ message: `POST /x got no answer: ${asked}`, isCertain: true });
  await expect(call(strict, { ca })).rejects.toThrow(expected);
  expect(await call(strict, { ca, ...client })).toBe(200);
  expect(await call(strict, { ca, cert: client.cert, key: lockedKey, passphrase: 'open sesame' })).toBe(200);
});

test.skipIf(!hasOpenssl)(
  'a client certificate that is refused is told from none (needs openssl)',
  async () => {
    const { cert, key } = authority.server;
    const server = createServer({
      cert: cert.pem,
      key: key.pem,
      requestCert: true,
      ca: authority.ca.pem,
      maxVersion: 'TLSv1.2',
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const { ca } = authority;
    await expect(call({ port }, { ca })).rejects.toThrow(
      'it may ask for a client certificate (TLS alert handshake failure)',
    );
    server.close();
  },
);

test.skipIf(!hasOpenssl)(
  'https goes through a tunnel of the proxy, which sees no more than the host (needs openssl)',
  async () => {
    const { ca, client } = authority;
    const connection = { ca, ...client, proxy: { url: proxy.url, variable: 'HTTPS_PROXY' } };
    const baseUrl = `https://${stagingHost}/api/v1`;
    const send = createClient({ baseUrl, connection }, 5_000);
    const headers = { 'X-Gate': 'open' };
    for (const path of ['/one', '/two']) {
      const { json } = await send({ method: 'GET', url: `${baseUrl}${path}`, headers, body: undefined });
      expect(json).toEqual({ method: 'GET', url: `/api/v1${path}`, host: stagingHost, proxied: false });
    }
    const malformed = { method: 'POST', url: `${baseUrl}/%zz`, headers, body: undefined };
    expect((await send(malformed)).json).toMatchObject({ url: '/api/v1/%zz' });
    // A connection that was used a moment ago is not used again.
    expect(new Set(proxy.seen)).toEqual(new Set([`CONNECT ${stagingHost}:443`]));
  },
);

test('a connection is told without its secrets', () => {
  const file = (path: string) => ({ path, pem: 'PEM' });
  const connection: Connection = {
    proxy: { url: 'http://mei:p%40ss@proxy.example.com:3128/', variable: 'HTTPS_PROXY' },
    ca: file('ca.pem'),
    cert: file('me.pem'),
    key: file('me.key'),
    passphrase: 'open sesame',
    headers: { 'X-Gate': 's3cr3t', 'X-Team': 'web' },
  };
  expect(sayConnection({ baseUrl: 'https://staging.test/api/v1', connection })).toBe(
    'the deployment is called through the proxy http://proxy.example.com:3128 (HTTPS_PROXY), with the authorities of ca.pem, with the client certificate me.pem, with the headers X-Gate, X-Team',
  );
  const { ca } = connection;
  expect(
    sayConnection({ baseUrl: 'http://staging.test/api/v1', ...(ca && { connection: { ca } }) }),
  ).toBeUndefined();
  expect(sayConnection({ baseUrl: 'http://staging.test/api/v1' })).toBeUndefined();
});

/** The status of a call. */
async function call({ port }: Pick<Gateway, 'port'>, connection: Connection | undefined): Promise<number> {
  const url = `https://127.0.0.1:${port}/x`;
  const send = createClient({ baseUrl: url, ...(connection && { connection }) }, 5_000);
  return (await send({ method: 'POST', url, headers: {}, body: '{}' })).status;
}
