import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Authority,
  createAuthority,
  hasOpenssl,
} from '../../contract-tests/deployment/testing/authority.ts';
import { readConnection, readProxy } from './connection-options.ts';
import { connectionFlags } from './deployment-flags.ts';
import { withoutProxy } from './mock-options.ts';
import { readLine } from './testing.ts';
import { UsageError } from './usage-error.ts';

const https = 'https://api.staging.example.com/api/v1';
const http = 'http://10.1.2.3:8080/api/v1';
const proxy = 'http://proxy.example.com:3128';
const url = `${proxy}/`;

test.for<[string, Record<string, string>, { url: string; variable: string } | undefined]>([
  [https, {}, undefined],
  [https, { HTTPS_PROXY: proxy }, { url, variable: 'HTTPS_PROXY' }],
  [https, { HTTPS_PROXY: 'http://other', https_proxy: proxy }, { url, variable: 'https_proxy' }],
  [https, { https_proxy: '', HTTPS_PROXY: proxy }, { url, variable: 'HTTPS_PROXY' }],
  [https, { HTTP_PROXY: proxy, http_proxy: proxy }, undefined],
  [http, { HTTP_PROXY: proxy }, { url, variable: 'HTTP_PROXY' }],
  [http, { http_proxy: 'proxy.example.com:3128' }, { url, variable: 'http_proxy' }],
  [http, { HTTPS_PROXY: proxy }, undefined],
  [
    https,
    { HTTPS_PROXY: 'https://me:p%40ss@proxy' },
    { url: 'https://me:p%40ss@proxy/', variable: 'HTTPS_PROXY' },
  ],
  // A proxy of an unsupported scheme is not an error if it is not used.
  [http, { HTTPS_PROXY: 'socks5://proxy' }, undefined],
  [http, { HTTP_PROXY: 'socks5://proxy', NO_PROXY: '10.0.0.0/8' }, undefined],
])('reads the proxy for %s from %j: %j', ([address, environment, want]) => {
  expect(readProxy(address, environment)).toEqual(want);
});

test.for<[string, string, boolean]>([
  [https, '*', true],
  [https, 'api.staging.example.com', true],
  [https, 'localhost, EXAMPLE.com', true],
  [https, '.example.com', true],
  [https, '*.example.com', true],
  [https, 'example.com.', true],
  [https, 'example.com:443', true],
  [https, 'example.com:8443', false],
  [https, 'ple.com', false],
  [https, 'other.example.com', false],
  [https, '10.0.0.0/8,,', false],
  [https, ' ', false],
  [http, '10.1.2.3', true],
  [http, '10.1.2.3:8080', true],
  [http, '10.1.2.3:80', false],
  [http, '10.1.0.0/16', true],
  [http, '10.2.0.0/16', false],
  [http, '10.0.0.0/99', false],
  [http, '2.3', false],
  ['http://[fd00::1]:8080/api/v1', 'fd00::/8', true],
  ['http://[fd00::1]:8080/api/v1', 'fd00::1', true],
  ['http://[fd00::1]:8080/api/v1', '[fd00::1]:8080', true],
  ['http://[fd00::1]:8080/api/v1', '[fd00::1]:80', false],
  ['http://localhost:4010/api/v1', '127.0.0.1', false],
  ['http://localhost:4010/api/v1', 'localhost', true],
])('calls %s with NO_PROXY=%s directly: %j', ([address, excluded, want]) => {
  const environment = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  expect(readProxy(address, { ...environment, NO_PROXY: excluded }) === undefined).toBe(want);
  expect(readProxy(address, { ...environment, no_proxy: excluded, NO_PROXY: '' }) === undefined).toBe(want);
});

test('lower case takes precedence', () => {
  const environment = { HTTPS_PROXY: proxy, no_proxy: 'example.org', NO_PROXY: '*' };
  expect(readProxy(https, environment)).toEqual({ url, variable: 'HTTPS_PROXY' });
});

test.for([
  [
    'socks5://me:s3cr3t@proxy:1080',
    'HTTPS_PROXY names a proxy of socks5://, which is not supported; use an http or https proxy, or add the host to NO_PROXY',
  ],
  ['http://', 'HTTPS_PROXY is not the URL of a proxy; expected for example http://proxy.example.com:3128'],
  [
    'http://me:s3cr3t@proxy:port',
    'HTTPS_PROXY is not the URL of a proxy; expected for example http://proxy.example.com:3128',
  ],
  ['http://me:100%@proxy', 'HTTPS_PROXY contains credentials with a bare %; write it as %25'],
] as const)('refuses %s without showing its credentials', ([text, message]) => {
  expect(() => readProxy(https, { HTTPS_PROXY: text })).toThrow(new UsageError(message));
});

const own = 'localhost,127.0.0.1,::1';

test.for([
  ['http://127.0.0.1:4010/api/v1', {}, own, own],
  ['http://[::1]:4010/api/v1', { NO_PROXY: '' }, own, own],
  ['http://127.0.0.1:1', { NO_PROXY: 'corp.example' }, `corp.example,${own}`, `corp.example,${own}`],
  ['http://127.0.0.1:1', { no_proxy: '.a, b' }, `.a,b,${own}`, `.a,b,${own}`],
  ['http://127.0.0.1:1', { NO_PROXY: 'a', no_proxy: 'b localhost' }, `a,${own}`, 'b,localhost,127.0.0.1,::1'],
  ['http://127.0.0.1:1', { NO_PROXY: '*' }, '*', '*'],
  ['http://192.168.1.5:1', {}, `${own},192.168.1.5`, `${own},192.168.1.5`],
  ['http://127.0.0.2:1', {}, `${own},127.0.0.2`, `${own},127.0.0.2`],
] as const)('excludes %s from proxies in addition to %j', ([url, environment, upper, lower]) => {
  expect(withoutProxy(url, environment)).toEqual({ NO_PROXY: upper, no_proxy: lower });
});

describe.skipIf(!hasOpenssl)('client certificates (needs openssl)', () => {
  let authority: Authority;
  /** By the names in the rows. */
  let paths: Record<string, string>;

  beforeAll(() => {
    authority = createAuthority();
    const { ca, client, server, lockedKey, folder } = authority;
    const made = (name: string) => join(folder, name);
    execFileSync('openssl', ['x509', '-in', client.cert.path, '-outform', 'der', '-out', made('der')]);
    const pkcs8 = ['-topk8', '-passout', 'pass:open sesame', '-out', made('newer')];
    execFileSync('openssl', ['pkcs8', '-in', client.key.path, ...pkcs8]);
    writeFileSync(made('both'), `${client.key.pem}${client.cert.pem}`);
    const broken = `${ca.pem}-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n`;
    writeFileSync(made('broken'), broken);
    paths = {
      ...{ CA: ca.path, CERT: client.cert.path, KEY: client.key.path, OTHER: server.key.path },
      ...{ LOCKED: lockedKey.path, DER: made('der'), NEWER: made('newer') },
      ...{ BOTH: made('both'), BROKEN: made('broken') },
    };
  });

  const named = (text: string) => text.replaceAll(/\b[A-Z]+\b/g, (name) => paths[name] ?? name);
  const read = (line: string) =>
    readConnection(readLine(named(line), connectionFlags), 'https://staging.example.com/api/v1');

  test('reads a client certificate, its key and a CA certificate', () => {
    const { ca, client, lockedKey } = authority;
    expect(read('--ca CA --cert CERT --key KEY')).toEqual({ ca, ...client });
    const passphrase = 'open sesame';
    expect(read('SITEPUB_KEY_PASSPHRASE=open%20sesame --cert CERT --key LOCKED')).toEqual({
      ...{ cert: client.cert, key: lockedKey, passphrase },
    });
    const both = { path: paths.BOTH, pem: `${client.key.pem}${client.cert.pem}` };
    expect(read('--cert BOTH')).toEqual({ cert: both, key: both });
  });

  const locked = 'is encrypted; set SITEPUB_KEY_PASSPHRASE or SITEPUB_KEY_PASSPHRASE_FILE';

  test.for([
    ['--cert CERT', '--cert needs a private key, and CERT contains none; add --key'],
    ['--cert DER --key KEY', '--cert: DER contains no PEM certificate'],
    ['--cert CERT --key OTHER', '--key: the key in OTHER does not match the certificate in CERT'],
    ['--cert CERT --key CERT', '--key: CERT contains no PEM private key'],
    ['--cert CERT --key LOCKED', `--key: the key in LOCKED ${locked}`],
    ['--cert CERT --key NEWER', `--key: the key in NEWER ${locked}`],
    [
      'SITEPUB_KEY_PASSPHRASE=s3cr3t --cert CERT --key NEWER',
      'SITEPUB_KEY_PASSPHRASE does not open the key in NEWER',
    ],
    [
      'SITEPUB_KEY_PASSPHRASE=s3cr3t --cert CERT --key LOCKED',
      'SITEPUB_KEY_PASSPHRASE does not open the key in LOCKED',
    ],
    ['--ca BROKEN', "--ca: certificate 2 in BROKEN can't be read"],
  ] as const)('%s is refused: %s', ([line, message]) => {
    expect(() => read(line)).toThrow(named(message));
    expect(() => read(line)).not.toThrow('s3cr3t');
  });
});
