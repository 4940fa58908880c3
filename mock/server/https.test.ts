import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type StartedMock, startMock } from '../start.ts';
import { hook, makeFolder, startTestMock as start } from '../testing/started-mock.ts';
import { makeCertificate, serverNames } from '../tls/certificate.ts';

/** Trusts only the certificate of the mock. */
async function call(
  { certificate }: StartedMock,
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: object } = {},
) {
  const json = body && { 'content-type': 'application/json' };
  const sent = request(url, {
    method: body ? 'POST' : 'GET',
    ca: String(certificate),
    headers: { ...json, ...headers },
    agent: false,
  });
  sent.end(body && JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: JSON.parse(await text(response)) as Record<string, unknown> };
}

test('serves https with a generated certificate, which pushes to its own inboxes trust', async () => {
  const mock = await start({ https: true, clock: 'manual' });
  expect(mock.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
  expect(mock.controlUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/_mock$/);
  const inbox = mock.control.inbox('ci');
  const headers = { authorization: `Bearer ${mock.tenants[0]?.apiKey}` };
  const subscription = { headers, body: hook(inbox.url) };
  const created = await call(mock, `${mock.baseUrl}/tenant/sites/101/webhooks`, subscription);
  expect(created.body.code).toBe(0);
  mock.control.causeEvent({ event: 'publish.complete', site_id: 101 });
  await mock.control.drain();
  const { deliveries } = mock.control.deliveries();
  expect(deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }]);
  expect(inbox.messages().received).toBe(1);
});

test('serves a given certificate, also on a separate control port', async () => {
  const own = makeCertificate(['127.0.0.1']);
  const mock = await start({ https: own, controlPort: 0 });
  expect(mock.certificate).toBe(own.cert);
  const health = await call(mock, `${mock.controlUrl}/health`);
  expect(health.body).toMatchObject({ ready: true, base_url: mock.baseUrl });
  expect(new URL(mock.controlUrl).port).not.toBe(new URL(mock.baseUrl).port);
});

test('accepts control calls from its own https pages, but not from http pages of the same host', async () => {
  const mock = await start({ https: true });
  const { origin, host } = new URL(mock.controlUrl);
  const from = async (page: string) =>
    (await call(mock, `${mock.controlUrl}/clock`, { headers: { origin: page } })).status;
  expect([await from(origin), await from(`http://${host}`)]).toEqual([200, 403]);
});

test('disconnects a client that sends plain HTTP', async () => {
  const mock = await start({ https: true });
  const socket = connect(Number(new URL(mock.baseUrl).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'close');
  expect((await call(mock, `${mock.controlUrl}/health`)).status).toBe(200);
});

const [one, other] = [makeCertificate(['a']), makeCertificate(['a'])];

test.each([
  [{ cert: 'x', key: one.key }, 'the certificate is not PEM ("-----BEGIN CERTIFICATE-----")'],
  [{ cert: one.cert, key: one.cert }, 'the key is not PEM'],
  [{ cert: one.cert, key: other.key }, 'the key does not match the certificate'],
])('refuses an unusable certificate (%#)', async (https, problem) => {
  await expect(startMock({ https })).rejects.toThrow(`can't serve https: ${problem}`);
});

const addresses = ['127.0.0.1', '::', '::1', 'fe80::1:2', '1:2:3:4:5:6:7:8'];
const names = ['localhost', 'mock.test', ...addresses, '2001:db8::ffff:10.0.0.1', 'fe80::%eth0'];

test('generates a self-signed certificate for the names and addresses', () => {
  const { cert, key } = makeCertificate(names);
  const read = new X509Certificate(cert);
  for (const name of ['localhost', 'mock.test']) expect(read.checkHost(name)).toBe(name);
  expect(read.checkHost('other.test')).toBeUndefined();
  for (const address of [...addresses, '2001:db8::ffff:a00:1', 'fe80::'])
    expect([address, read.checkIP(address)]).toEqual([address, expect.stringMatching(/./)]);
  expect(read.checkIP('127.0.0.2')).toBeUndefined();
  expect([read.verify(read.publicKey), read.ca, read.issuer]).toEqual([true, false, read.subject]);
  expect(read.subject).toBe('CN=sitepub mock');
  expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  expect(new X509Certificate(makeCertificate(names).cert).serialNumber).not.toBe(read.serialNumber);
});

test('is valid since yesterday, and not longer than browsers accept', () => {
  const now = Date.parse('2026-01-02T03:04:05Z');
  const { validFromDate, validToDate } = new X509Certificate(makeCertificate(names, now).cert);
  expect(validFromDate).toEqual(new Date('2026-01-01T03:04:05Z'));
  expect(validToDate).toEqual(new Date('2027-02-02T03:04:05Z'));
});

test.skipIf(spawnSync('openssl', ['version']).status !== 0)(
  'openssl accepts the certificate (needs openssl)',
  () => {
    const file = join(makeFolder(), 'cert.pem');
    writeFileSync(file, makeCertificate(names).cert);
    const run = (...args: string[]) => execFileSync('openssl', args, { encoding: 'utf8' });
    expect(run('verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', file, file)).toContain('OK');
    const text = run('x509', '-in', file, '-noout', '-text');
    for (const part of ['Version: 3', 'CA:FALSE', 'TLS Web Server Authentication', 'DNS:mock.test'])
      expect(text).toContain(part);
  },
);

test('names all addresses of a mock that listens everywhere', () => {
  expect(serverNames('127.0.0.1', ['mock.test'])).toEqual(['localhost', '127.0.0.1', '::1', 'mock.test']);
  expect(serverNames('10.1.2.3', [])).toEqual(['localhost', '127.0.0.1', '::1', '10.1.2.3']);
  expect(serverNames('0.0.0.0', []).length).toBeGreaterThan(3);
});
