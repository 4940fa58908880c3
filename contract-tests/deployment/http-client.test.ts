import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ResponseMessage } from '../core/exchange.ts';
import type { Connection } from '../core/suite-options.ts';
import { listenTo } from '../testing.ts';
import { sayConnection } from './connection.ts';
import { explainLoss } from './explain-loss.ts';
import { createClient } from './http-client.ts';
import { limitLargeAnswers } from './large-answers.ts';
import { type Authority, createAuthority, hasOpenssl, stagingHost } from './testing/authority.ts';
import { type ForwardProxy, startForwardProxy } from './testing/forward-proxy.ts';
import { type Gateway, startGateway } from './testing/gateway.ts';

const json = '{"code":0,"message":"port 港"}';

test.for([
  ['gzip', gzipSync(json)],
  ['X-GZIP', gzipSync(json)],
  ['deflate', deflateSync(json)],
  ['br', brotliCompressSync(json)],
  ['identity', Buffer.from(json)],
] as const)('decodes an answer with Content-Encoding %s', async ([coding, body]) => {
  expect(await textOf({ coding, body })).toBe(json);
});

test('does not change an answer with a wrong Content-Encoding', async () => {
  expect(await textOf({ coding: 'gzip', body: Buffer.from('<html>') })).toBe('<html>');
});

test.for([
  ['in Latin-1', Buffer.from('{"message":"caf\xe9"}', 'latin1'), 'identity', false],
  [
    'cut inside a character',
    Buffer.concat([Buffer.from('{"message":"港').subarray(0, -1), Buffer.from('"}')]),
    'identity',
    false,
  ],
  ['in compressed Latin-1', gzipSync(Buffer.from('"caf\xe9"', 'latin1')), 'gzip', false],
  ['in UTF-8', Buffer.from(json), 'identity', true],
  ['in UTF-8, with a replacement character', Buffer.from('"\ufffd"'), 'identity', true],
] as const)('says whether a body %s is UTF-8', async ([, body, coding, isUtf8]) => {
  expect(await answerOf({ coding, body })).toMatchObject({ isUtf8, json: expect.anything() });
});

async function textOf(given: Parameters<typeof answerOf>[0]): Promise<string> {
  return (await answerOf(given)).text;
}

async function answerOf({ coding, body }: { coding: string; body: Buffer }): Promise<ResponseMessage> {
  await using server = await listenTo(
    createServer((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': coding }).end(body);
    }),
  );
  const send = createClient({ baseUrl: server.origin }, 5_000);
  return await send({ method: 'GET', url: server.origin, headers: {}, body: undefined });
}

// Messages of Node 24 with OpenSSL servers.
const opensslText = (name: string, number: number) =>
  `40ED881EDD7F0000:error:0A000418:SSL routines:ssl3_read_bytes:tlsv1 alert ${name}:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:918:SSL alert number ${number}\n`;
const cert = { path: 'me.pem', pem: 'PEM' };

test.for([
  [
    'unknown ca',
    48,
    {},
    'it requires a client certificate (TLS alert unknown ca); pass one with --cert FILE and --key FILE',
  ],
  ['unknown ca', 48, { cert }, 'it refused the client certificate me.pem (TLS alert unknown ca)'],
  [
    'handshake failure',
    40,
    {},
    'it may require a client certificate (TLS alert handshake failure); pass one with --cert FILE and --key FILE',
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
] as const)('explains the alert "%s" (%i) with %j', ([name, number, connection, want]) => {
  const error = Object.assign(new Error(opensslText(name, number)), { code: 'EPROTO' });
  expect(explainLoss(error, connection)).toEqual({ reason: want, isCertain: true });
});

test('mentions the proxy for an unknown authority', () => {
  const message = 'unable to verify the first certificate; try something else';
  const error = Object.assign(new Error(message), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  const reasonWith = (url: string) => explainLoss(error, { proxy: { url, variable: 'HTTPS_PROXY' } }).reason;
  const reason =
    'its certificate is signed by an authority that this machine does not trust (unable to verify the first certificate); pass a private one with --ca FILE';
  expect(reasonWith('http://proxy:3128')).toBe(reason);
  expect(reasonWith('https://proxy:3128')).toBe(
    `${reason}, or NODE_EXTRA_CA_CERTS for the proxy https://proxy:3128`,
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
] as const)('explains %s in the words of Node', ([error, reason]) => {
  expect(explainLoss(error, undefined)).toEqual({ reason, isCertain: false });
});

test('reads large answers one at a time', async () => {
  const large = limitLargeAnswers();
  const order: string[] = [];
  const read = async (name: string) => {
    const end = await large.turn();
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    end();
  };
  await Promise.all([read('first'), read('second'), read('third')]);
  expect(order).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('counts JSON values towards the size', () => {
  const large = limitLargeAnswers();
  const many = () => large.count({ bytes: 0, values: 100_000 });
  for (let count = 0; count < 50; count++) many();
  expect(many).toThrow('the answer is large');
});

// Private authorities, with and without a proxy, and client certificates.
describe('connection', () => {
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

  test.skipIf(!hasOpenssl)('trusts a private authority only if it is given (needs openssl)', async () => {
    const message =
      'POST /x got no answer: its certificate is signed by an authority that this machine does not trust (self-signed certificate in certificate chain); pass a private one with --ca FILE';
    await expect(call(plain, undefined)).rejects.toThrow(
      expect.objectContaining({ message, isCertain: true }),
    );
    await expect(call(plain, { ca: other.ca })).rejects.toThrow('pass a private one with --ca FILE');
    expect(await call(plain, { ca: authority.ca })).toBe(200);
    await expect(call(plain, undefined)).rejects.toThrow('pass a private one with --ca FILE');
  });

  test.skipIf(!hasOpenssl)(
    'refuses a certificate for another host, even with a private authority (needs openssl)',
    async () => {
      const url = `https://localhost:${plain.port}/x`;
      const send = createClient({ baseUrl: url, connection: { ca: authority.ca } }, 5_000);
      await expect(send({ method: 'GET', url, headers: {}, body: undefined })).rejects.toThrow(
        /its certificate is invalid: Hostname\/IP does not match certificate's altnames/,
      );
    },
  );

  test.skipIf(!hasOpenssl)('sends a client certificate on request (needs openssl)', async () => {
    const { ca, client, lockedKey } = authority;
    const asked =
      'it requires a client certificate (TLS alert certificate required); pass one with --cert FILE and --key FILE';
    const expected = expect.objectContaining({
      message: `POST /x got no answer: ${asked}`,
      isCertain: true,
    });
    await expect(call(strict, { ca })).rejects.toThrow(expected);
    expect(await call(strict, { ca, ...client })).toBe(200);
    expect(await call(strict, { ca, cert: client.cert, key: lockedKey, passphrase: 'open sesame' })).toBe(
      200,
    );
  });

  test.skipIf(!hasOpenssl)(
    'distinguishes a refused client certificate from a missing one (needs openssl)',
    async () => {
      const { cert, key } = authority.server;
      const { ca } = authority;
      const settings = { cert: cert.pem, key: key.pem, ca: ca.pem, requestCert: true };
      await using server = await listenTo(createTlsServer({ ...settings, maxVersion: 'TLSv1.2' }));
      await expect(call(server, { ca })).rejects.toThrow(
        'it may require a client certificate (TLS alert handshake failure)',
      );
    },
  );

  test.skipIf(!hasOpenssl)(
    'sends https through a tunnel, so that the proxy sees only the host (needs openssl)',
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
      // A connection is not reused right after an answer.
      expect(new Set(proxy.seen)).toEqual(new Set([`CONNECT ${stagingHost}:443`]));
    },
  );

  test('describes a connection without secrets', () => {
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
      'connecting through the proxy http://proxy.example.com:3128 (HTTPS_PROXY), with the certificate authorities in ca.pem, with the client certificate me.pem, with the headers X-Gate, X-Team',
    );
    const { ca } = connection;
    expect(
      sayConnection({ baseUrl: 'http://staging.test/api/v1', ...(ca && { connection: { ca } }) }),
    ).toBeUndefined();
    expect(sayConnection({ baseUrl: 'http://staging.test/api/v1' })).toBeUndefined();
  });

  async function call({ port }: Pick<Gateway, 'port'>, connection: Connection | undefined): Promise<number> {
    const url = `https://127.0.0.1:${port}/x`;
    const send = createClient({ baseUrl: url, ...(connection && { connection }) }, 5_000);
    return (await send({ method: 'POST', url, headers: {}, body: '{}' })).status;
  }
});
