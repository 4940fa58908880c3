// The words for what OpenSSL says; the messages are those of Node 24 before servers of OpenSSL.
import { expect, test } from 'vitest';
import { explainLoss } from './explain-loss.ts';

const opensslText = (name: string, number: number) =>
  `40ED881EDD7F0000:error:0A000418:SSL routines:ssl3_read_bytes:tlsv1 alert ${name}:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:918:SSL alert number ${number}\n`;
const cert = { path: 'me.pem', pem: 'PEM' };

test.for([
  [
    'unknown ca',
    48,
    {},
    'it asks for a client certificate (TLS alert unknown ca); give one with --cert FILE and --key FILE',
  ],
  ['unknown ca', 48, { cert }, 'it refused the client certificate me.pem (TLS alert unknown ca)'],
  [
    'handshake failure',
    40,
    {},
    'it may ask for a client certificate (TLS alert handshake failure); give one with --cert FILE and --key FILE',
  ],
  [
    'handshake failure',
    40,
    { cert },
    'it refused the client certificate me.pem (TLS alert handshake failure)',
  ],
  [
    'certificate expired',
    45,
    { cert },
    'it refused the client certificate me.pem (TLS alert certificate expired)',
  ],
] as const)('alert "%s" (%i) with %j', ([name, number, connection, want]) => {
  const error = Object.assign(new Error(opensslText(name, number)), { code: 'EPROTO' });
  expect(explainLoss(error, connection)).toEqual({ reason: want, isCertain: true });
});

test('an unknown authority may be that of a proxy', () => {
  const message = 'unable to verify the first certificate; try something else';
  const error = Object.assign(new Error(message), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  const reasonWith = (url: string) => explainLoss(error, { proxy: { url, variable: 'HTTPS_PROXY' } }).reason;
  const reason =
    'its certificate is signed by an authority that this machine does not trust (unable to verify the first certificate); --ca FILE names a private one';
  expect(reasonWith('http://proxy:3128')).toBe(reason);
  expect(reasonWith('https://proxy:3128')).toBe(
    `${reason}, NODE_EXTRA_CA_CERTS that of the proxy https://proxy:3128`,
  );
});

test.for([
  [
    new Error(opensslText('protocol version', 70)),
    `write EPROTO ${opensslText('protocol version', 70).trim()}`,
  ],
  [new Error('other side closed'), 'socket hang up'],
  [new Error('Proxy Connection failed'), 'Connection to establish proxy tunnel ended unexpectedly'],
  [new Error('Timeout reached'), 'Timeout reached'],
  ['a text', 'a text'],
] as const)('%s is told in the words of Node', ([error, reason]) => {
  expect(explainLoss(error, undefined)).toEqual({ reason, isCertain: false });
});
