import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createSender, createSharedBodies, type Message, type Reply, type Target } from './send.ts';

type Sender = ReturnType<typeof createSender>;

function replyOf(sender: Sender, target: Target, make: () => Message): Promise<Reply | undefined> {
  return new Promise((resolve) => sender.send(target, make, resolve));
}

/** The request of a push to an address on this machine, and of what it is redirected to. */
async function requestsOf(credentials: string, redirectedTo?: (port: number) => string): Promise<string[]> {
  const seen: string[] = [];
  const server = createHttpServer((request, answer) => {
    seen.push(`${request.url} ${request.headers.authorization}`);
    const { port } = server.address() as AddressInfo;
    const to = seen.length === 1 ? redirectedTo?.(port) : undefined;
    answer.writeHead(to === undefined ? 200 : 302, to === undefined ? {} : { location: to }).end();
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const sender = createSender({ refusesPrivateTargets: false });
  const url = `http://${credentials}127.0.0.1:${(server.address() as AddressInfo).port}/in?a=1`;
  const target = { push: 1, attempt: 1, url, bytes: 0, timeoutSeconds: 5, redirects: 'counted' as const };
  await replyOf(sender, target, () => ({ headers: { 'x-own': '1' }, body: '' }));
  await sender.close();
  return seen;
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test.for([
  ['', undefined],
  ['user:pw@', basic('user:pw')],
  ['user@', basic('user:')],
  [':pw@', basic(':pw')],
  ['us%40er:p%3Aw%2F@', basic('us@er:p:w/')],
  ['ü:密@', basic('ü:密')],
  ['a:50%@', basic('a:50%')],
] as const)('an address with %j is called with these credentials', async ([credentials, want]) => {
  expect(await requestsOf(credentials)).toEqual([`/in?a=1 ${want}`]);
});

test.for<[string, (port: number) => string, string | undefined]>([
  ['the same place', () => '/next', basic('user:pw')],
  ['another place', (port) => `http://localhost:${port}/next`, undefined],
  ['another place with its own', (port) => `http://a:b@localhost:${port}/next`, basic('a:b')],
])('a redirect to %s gets no credentials of others', async ([, redirectedTo, want]) => {
  expect(await requestsOf('user:pw@', redirectedTo)).toEqual([
    `/in?a=1 ${basic('user:pw')}`,
    `/next ${want}`,
  ]);
});

/** What is said of a receiver that answers with these bytes. */
async function replyTo(bytes: string, redirects: Target['redirects'] = 'not-followed'): Promise<unknown> {
  const server = createServer(
    (socket) => void socket.on('error', () => {}).end(Buffer.from(bytes, 'latin1')),
  );
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const sender = createSender({ refusesPrivateTargets: false });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const target = { push: 1, attempt: 1, url, bytes: 0, timeoutSeconds: 5, redirects };
  const reply = await replyOf(sender, target, () => ({ headers: {}, body: '' }));
  await sender.close();
  return reply;
}

test.each([
  ['HELLO\r\n\r\n'],
  ['\0\x01\x02'],
  ['\x16\x03\x01\x02'],
  ['SSH-2.0-x\r\n'],
  ['HTTP/1.1 abc\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz'],
  ['HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
  [''],
])('an answer of %j is logged as an error with a name', async (bytes) => {
  const reply = await replyTo(bytes);
  expect(reply).toEqual({
    error: expect.stringMatching(/^(HPE_\w+|ECONNRESET): \S/),
  });
});

const long = 'a'.repeat(20_000);

test.each([
  ['100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 200, 'ok'],
  [
    '100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 No\r\n\r\n',
    503,
    '',
  ],
  ['103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 202 A\r\nContent-Length: 2\r\n\r\nok', 202, 'ok'],
  ['200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1\r\n!\r\n0\r\nX-Trailer: 1\r\n\r\n', 200, 'ok!'],
  ['200 OK\r\n\r\nuntil the end', 200, 'until the end'],
  ['200 OK\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\nok', 200, 'ok'],
  [`500 Oh\r\nContent-Length: 20000\r\n\r\n${long}`, 500, long.slice(0, 16_384)],
  [`500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n4e20\r\n${long}\r\n0\r\n\r\n`, 500, long.slice(0, 16_384)],
])('an answer of %j is logged as it came', async (bytes, status, body) => {
  expect(await replyTo(`HTTP/1.1 ${bytes}`)).toEqual({ status, body });
});

test.each([
  ['101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nxx'],
  ['200 OK\r\nContent-Length: 10\r\n\r\nabc'],
  ['200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nno length'],
])('an answer of %j, which nobody asked for or which breaks off, is logged as an error', async (bytes) => {
  const error = expect.stringMatching(/^(ECONNRESET|HPE_\w+|Error): \S/);
  expect(await replyTo(`HTTP/1.1 ${bytes}`)).toEqual({ error });
});

test.each(['mailto:a@b.example', 'ftp://b.example/', 'blob:http://127.0.0.1:1/'])(
  'a redirect to %s, which is no web address, is told as an error',
  async (location) => {
    const bytes = `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;
    const error = `Error: ${new URL(location).protocol} is no protocol of a receiver; it is http: or https:`;
    expect(await replyTo(bytes, 'counted')).toEqual({ error });
    expect(await replyTo(bytes)).toEqual({ status: 302, body: '' });
  },
);

test('a long text has its bytes once while anybody sends it', () => {
  const { take, release } = createSharedBodies();
  const text = '漢'.repeat(20_000);
  const first = take(text);
  expect(take(text)).toBe(first);
  expect(first.toString()).toBe(text);
  release(text);
  expect(take(text)).toBe(first);
  release(text);
  release(text);
  expect(take(text)).not.toBe(first);
});

test('a push goes out in these bytes', async () => {
  let bytes = '';
  const server = createServer((socket) =>
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        bytes += chunk.toString();
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      }),
  );
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sender = createSender({ refusesPrivateTargets: false });
  const url = `http://user:pw@${host}/in?a=1`;
  const target = { push: 1, attempt: 1, url, bytes: 5, timeoutSeconds: 5, redirects: 'counted' } as const;
  await replyOf(sender, target, () => ({ headers: { 'X-Own': '1', Accept: '*/*' }, body: '"漢"' }));
  await sender.close();
  expect(bytes.split('\r\n')).toEqual([
    'POST /in?a=1 HTTP/1.1',
    'X-Own: 1',
    'Accept: */*',
    'Authorization: Basic dXNlcjpwdw==',
    `Host: ${host}`,
    'Connection: keep-alive',
    'Content-Length: 5',
    '',
    '"漢"',
  ]);
});

test('32 MB are under way at a time, and the others follow', async () => {
  const server = createServer((socket) => void socket.on('error', () => {}).pause());
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const sender = createSender({ refusesPrivateTargets: false });
  const body = 'x'.repeat(1_000_000);
  let made = 0;
  const replies = Array.from({ length: 40 }, (_, index) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${index}`;
    const target = {
      push: 1,
      attempt: 1,
      url,
      bytes: 1_000_000,
      timeoutSeconds: 0.5,
      redirects: 'not-followed',
    } as const;
    return replyOf(sender, target, () => {
      made++;
      return { headers: {}, body };
    });
  });
  await nextTurn();
  expect(made).toBe(32);
  const error = 'no complete answer within 0.5 s';
  expect(await Promise.all(replies)).toEqual(Array.from({ length: 40 }, () => ({ error })));
  expect(made).toBe(40);
  await sender.close();
});
