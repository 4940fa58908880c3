// Certificates and keys that the flags name. Needs openssl, which makes them.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Authority,
  createAuthority,
  hasOpenssl,
} from '../../contract-tests/deployment/testing/authority.ts';
import { readConnection } from './connection-options.ts';
import { connectionFlags } from './deployment-flags.ts';
import { readLine } from './testing.ts';

describe.skipIf(!hasOpenssl)('client certificates (needs openssl)', () => {
  let authority: Authority;
  /** Paths by their names in the rows. */
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
  afterAll(() => authority.remove());

  const named = (text: string) => text.replaceAll(/\b[A-Z]+\b/g, (name) => paths[name] ?? name);
  const read = (line: string) =>
    readConnection(readLine(named(line), connectionFlags), 'https://staging.example.com/api/v1');

  test('a certificate, its key and an authority are read', () => {
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
