import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Authority,
  createAuthority,
  hasOpenssl,
} from '../../contract-tests/deployment/testing/authority.ts';
import { readConnection } from './connection-options.ts';
import { connectionFlags } from './deployment-flags.ts';
import { readFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

let authority: Authority;

beforeAll(() => {
  if (hasOpenssl) authority = createAuthority();
});
afterAll(() => {
  if (hasOpenssl) authority.remove();
});

test('without any flag or variable, the deployment is called directly', () => {
  expect(read([], {})).toBeUndefined();
  expect(read([], { SITEPUB_HEADER_X_GATE: 's3cr3t', SITEPUB_KEY_PASSPHRASE: 'unused' })).toBeUndefined();
});

test('headers get their values from the environment', () => {
  const environment = {
    SITEPUB_HEADER_X_GATE_TOKEN: 's3cr3t',
    SITEPUB_HEADER_CF_ACCESS_CLIENT_ID: 'web.access',
    SITEPUB_HEADER_COOKIE: 'session=a,b; c="d"',
  };
  const args = [
    '--header',
    'X-Gate-Token',
    '--header',
    'CF-Access-Client-Id,Cookie',
    '--header=x-gate-token',
  ];
  const headers = {
    'x-gate-token': 's3cr3t',
    'CF-Access-Client-Id': 'web.access',
    Cookie: 'session=a,b; c="d"',
  };
  expect(read(args, environment)).toEqual({ headers });
});

test.for<[string[], Record<string, string>, string]>([
  [
    ['--header', 'X-Gate'],
    {},
    '--header X-Gate has no value; set SITEPUB_HEADER_X_GATE or SITEPUB_HEADER_X_GATE_FILE',
  ],
  [
    ['--header', 'X-Gate: s3cr3t'],
    {},
    '--header X-Gate takes a name alone; process lists show flags, so the value comes from SITEPUB_HEADER_X_GATE',
  ],
  [
    ['--header', 'X/Gate'],
    {},
    '--header is "X/Gate"; expected a name of letters, digits, - and _, such as X-Gateway-Token',
  ],
  [
    ['--header', 'Authorization'],
    { SITEPUB_HEADER_AUTHORIZATION: 'Basic bWU6' },
    "--header Authorization: the suite sets Authorization itself; a gateway can't use it too",
  ],
  [
    ['--header', 'Idempotency-Key'],
    {},
    "--header Idempotency-Key: the suite sets Idempotency-Key itself; a gateway can't use it too",
  ],
  [
    ['--header', 'Proxy-Authorization'],
    {},
    '--header Proxy-Authorization is for proxies; give their credentials in HTTPS_PROXY or HTTP_PROXY, as in http://user:password@host:port',
  ],
  [
    ['--header', 'X-Gate'],
    { SITEPUB_HEADER_X_GATE: 'one\r\nX-Two: 2' },
    'SITEPUB_HEADER_X_GATE holds a character that no header may have, such as a line break',
  ],
  [
    ['--ca', 'nowhere.pem'],
    {},
    `--ca: nowhere.pem can't be read (there is no file ${resolve('nowhere.pem')}); give the path of a file in PEM`,
  ],
  [
    ['--ca', 'package.json'],
    {},
    '--ca: package.json holds no certificate in PEM ("-----BEGIN CERTIFICATE-----"); `openssl x509 -inform der -in package.json` converts one in DER',
  ],
  [['--key', 'package.json'], {}, '--key is given and --cert is not; a client certificate needs both'],
  [
    [],
    { HTTPS_PROXY: 'socks5://proxy' },
    "HTTPS_PROXY names a proxy of socks5://, which can't be used; expected one of http or https, or name the host in NO_PROXY",
  ],
])('%j with %j is refused', ([args, environment, message]) => {
  expect(() => read(args, environment)).toThrow(new UsageError(message));
});

test.skipIf(!hasOpenssl)('a client certificate, its key and an authority are read (needs openssl)', () => {
  const { ca, client, lockedKey } = authority;
  expect(read(['--ca', ca.path, '--cert', client.cert.path, '--key', client.key.path], {})).toEqual({
    ca,
    ...client,
  });
  const locked = ['--cert', client.cert.path, '--key', lockedKey.path];
  expect(read(locked, { SITEPUB_KEY_PASSPHRASE: 'open sesame' })).toEqual({
    cert: client.cert,
    key: lockedKey,
    passphrase: 'open sesame',
  });
});

test.skipIf(!hasOpenssl)('one file may hold both the client certificate and its key (needs openssl)', () => {
  const path = join(authority.folder, 'both.pem');
  const pem = `${authority.client.key.pem}${authority.client.cert.pem}`;
  writeFileSync(path, pem);
  expect(read(['--cert', path], {})).toEqual({ cert: { path, pem }, key: { path, pem } });
});

test.skipIf(!hasOpenssl)(
  'a client certificate that does not fit is refused, with the reason (needs openssl)',
  () => {
    const { ca, client, server, lockedKey, folder } = authority;
    const der = join(folder, 'client.der');
    execFileSync('openssl', ['x509', '-in', client.cert.path, '-outform', 'der', '-out', der]);
    const newer = join(folder, 'newer.key');
    const pkcs8 = ['-topk8', '-passout', 'pass:open sesame', '-out', newer];
    execFileSync('openssl', ['pkcs8', '-in', client.key.path, ...pkcs8]);
    const broken = join(folder, 'broken.pem');
    writeFileSync(broken, `${ca.pem}-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n`);
    const [cert, key] = [client.cert.path, client.key.path];
    const secret = { SITEPUB_KEY_PASSPHRASE: 'wrong' };
    const given: [string[], Record<string, string>, string][] = [
      [['--cert', cert], {}, `--cert is given and --key is not, and ${cert} holds no key; give both`],
      [['--cert', der, '--key', key], {}, `--cert: ${der} holds no certificate in PEM`],
      [
        ['--cert', cert, '--key', server.key.path],
        {},
        `--key: the key in ${server.key.path} is not that of the certificate in ${cert}`,
      ],
      [['--cert', cert, '--key', cert], {}, `--key: ${cert} holds no private key in PEM`],
      [
        ['--cert', cert, '--key', lockedKey.path],
        {},
        `--key: the key in ${lockedKey.path} is encrypted; set SITEPUB_KEY_PASSPHRASE or SITEPUB_KEY_PASSPHRASE_FILE`,
      ],
      [
        ['--cert', cert, '--key', newer],
        {},
        `--key: the key in ${newer} is encrypted; set SITEPUB_KEY_PASSPHRASE or SITEPUB_KEY_PASSPHRASE_FILE`,
      ],
      [['--cert', cert, '--key', newer], secret, `SITEPUB_KEY_PASSPHRASE does not open the key in ${newer}`],
      [
        ['--cert', cert, '--key', lockedKey.path],
        secret,
        `SITEPUB_KEY_PASSPHRASE does not open the key in ${lockedKey.path}`,
      ],
      [['--ca', broken], {}, `--ca: certificate 2 in ${broken} can't be read`],
    ];
    for (const [args, environment, message] of given) expect(() => read(args, environment)).toThrow(message);
  },
);

function read(args: readonly string[], environment: Record<string, string>) {
  return readConnection(
    readFlags(args, connectionFlags, environment),
    'https://staging.example.com/api/v1',
    environment,
  );
}
