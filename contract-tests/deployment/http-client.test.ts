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
  expect((await answerOf({ coding, body })).text).toBe(json);
});

test('does not change an answer with a wrong Content-Encoding', async () => {
  const { text } = await answerOf({ coding: 'gzip', body: Buffer.from('<html>') });
  expect(text).toBe('<html>');
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
const advice = '; pass one with --cert FILE and --key FILE';

test.for([
  ['unknown ca', 48, {}, 'it requires a client certificate', advice],
  ['unknown ca', 48, { cert }, 'it refused the client certificate me.pem', ''],
  ['handshake failure', 40, {}, 'it may require a client certificate', advice],
  ['certificate expired', 45, { cert }, 'it refused the client certificate me.pem', ''],
] as const)('explains the alert "%s" (%i) with %j', ([name, number, connection, what, further]) => {
  const error = Object.assign(new Error(opensslText(name, number)), { code: 'EPROTO' });
  const reason = `${what} (TLS alert ${name})${further}`;
  expect(explainLoss(error, connection)).toEqual({ reason, isCertain: true });
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

const otherVersion = opensslText('protocol version', 70);

test.for([
  [new Error(otherVersion), `write EPROTO ${otherVersion.trim()}`],
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

test('describes no certificates for http, and no direct connection', () => {
  const baseUrl = 'http://staging.test/api/v1';
  expect(sayConnection({ baseUrl, connection: { ca: cert, cert } })).toBeUndefined();
  expect(sayConnection({ baseUrl })).toBeUndefined();
});

// Private authorities, with and without a proxy, and client certificates.
describe.skipIf(!hasOpenssl)('connection (needs openssl)', () => {
  let authority: Authority;
  let other: Authority;
  let plain: Gateway;
  let strict: Gateway;
  let proxy: ForwardProxy;

  beforeAll(async () => {
    [authority, other] = [createAuthority(), createAuthority()];
    plain = await startGateway({ authority });
    strict = await startGateway({ authority, asksForCertificate: true });
    proxy = await startForwardProxy({ ports: { [stagingHost]: strict.port }, credentials: 'mei:p@ss' });
  });

  afterAll(async () => {
    for (const one of [plain, strict, proxy]) await one.close();
  });

  test('trusts a private authority only if it is given', async () => {
    const message =
      'POST /x got no answer: its certificate is signed by an authority that this machine does not trust (self-signed certificate in certificate chain); pass a private one with --ca FILE';
    await expect(call(plain, undefined)).rejects.toThrow(
      expect.objectContaining({ message, isCertain: true }),
    );
    await expect(call(plain, { ca: other.ca })).rejects.toThrow('pass a private one with --ca FILE');
    expect(await call(plain, { ca: authority.ca })).toBe(200);
    await expect(call(plain, undefined)).rejects.toThrow('pass a private one with --ca FILE');
  });

  test('refuses a certificate for another host, even with a private authority', async () => {
    const url = `https://localhost:${plain.port}/x`;
    const send = createClient({ baseUrl: url, connection: { ca: authority.ca } }, 5_000);
    await expect(send({ method: 'GET', url, headers: {}, body: undefined })).rejects.toThrow(
      /its certificate is invalid: Hostname\/IP does not match certificate's altnames/,
    );
  });

  test('sends a client certificate on request', async () => {
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

  test('distinguishes a refused client certificate from a missing one', async () => {
    const { cert, key } = authority.server;
    const { ca } = authority;
    const settings = { cert: cert.pem, key: key.pem, ca: ca.pem, requestCert: true };
    await using server = await listenTo(createTlsServer({ ...settings, maxVersion: 'TLSv1.2' }));
    await expect(call(server, { ca })).rejects.toThrow(
      'it may require a client certificate (TLS alert handshake failure)',
    );
  });

  test('sends https through a tunnel, so that the proxy sees only the host', async () => {
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
  });

  async function call({ port }: Pick<Gateway, 'port'>, connection: Connection | undefined): Promise<number> {
    const url = `https://127.0.0.1:${port}/x`;
    const send = createClient({ baseUrl: url, ...(connection && { connection }) }, 5_000);
    return (await send({ method: 'POST', url, headers: {}, body: '{}' })).status;
  }
});
