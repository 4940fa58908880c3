import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../testing/started-mock.ts';
import { addressBytes, makeCertificate, serverNames } from './certificate.ts';

const names = ['localhost', '127.0.0.1', '::1', 'mock.test', 'fe80::1:2', '2001:db8::ffff:10.0.0.1'];

test('makes a self-signed certificate for the names and addresses', () => {
  const { cert, key } = makeCertificate(names);
  const read = new X509Certificate(cert);
  for (const name of ['localhost', 'mock.test']) expect(read.checkHost(name)).toBe(name);
  expect(read.checkHost('other.test')).toBeUndefined();
  for (const address of ['127.0.0.1', '::1', 'fe80::1:2', '2001:db8::ffff:a00:1'])
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

test.each([
  ['127.0.0.1', '7f000001'],
  ['::', '00000000000000000000000000000000'],
  ['::1', '00000000000000000000000000000001'],
  ['fe80::%eth0', 'fe800000000000000000000000000000'],
  ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
  ['::ffff:10.0.0.1', '00000000000000000000ffff0a000001'],
])('writes %s as %s', (address, bytes) => {
  expect(addressBytes(address).toString('hex')).toBe(bytes);
});

test('names all addresses of a mock that listens everywhere', () => {
  expect(serverNames('127.0.0.1', ['mock.test'])).toEqual(['localhost', '127.0.0.1', '::1', 'mock.test']);
  expect(serverNames('10.1.2.3', [])).toEqual(['localhost', '127.0.0.1', '::1', '10.1.2.3']);
  expect(serverNames('0.0.0.0', []).length).toBeGreaterThan(3);
});
