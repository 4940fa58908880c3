// @module-tag ci
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createEnding } from '../core/ending.ts';
import { listenTo } from '../testing.ts';
import { createClient } from './http-client.ts';

const head = 'HTTP/1.1 200 OK\r\n';
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;
const megabyte = 'x'.repeat(1_048_576);

type Peer = (socket: Socket) => void;

/** Writes a text. */
function write(text: string): Peer {
  return (socket) => void socket.write(text);
}

/** Writes a text, then a piece every few milliseconds, endlessly. */
function drip(text: string, piece: string): Peer {
  return (socket) => {
    if (text !== '') socket.write(text);
    const timer = setInterval(() => socket.write(piece), 5);
    socket.on('close', () => clearInterval(timer));
  };
}

function answerWith(socket: Socket, body: Buffer | string, headers = ''): void {
  const bytes = Buffer.from(body as string);
  socket.write(`${head}${headers}Content-Length: ${bytes.length}\r\n\r\n`);
  socket.write(bytes);
}

const zeros = Buffer.alloc(64 * 1_048_576);
const bomb = (coding: string, body: Buffer) => (socket: Socket) =>
  answerWith(socket, body, `Content-Encoding: ${coding}\r\n`);

const late = 'no complete answer within 0.3 s';
const long = 'its body is longer than 8 MB';
const deep = 'its body is nested more than 200 levels deep';

const lost: Readonly<Record<string, readonly [Peer, string | RegExp]>> = {
  'nothing at all': [() => {}, late],
  'a status line a byte at a time': [drip('', 'H'), /Parse Error|no whole answer/],
  'headers that never end': [drip(head, 'a: b\r\n'), late],
  'more headers than anyone needs': [
    write(`${head}${'a: bbbbbbbbbb\r\n'.repeat(5_000)}\r\n`),
    /Header overflow/,
  ],
  'more interim answers than anyone needs': [
    write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)),
    'more than 100 interim answers (1xx) came before the final one',
  ],
  'a body a byte at a time': [drip(chunked, '1\r\n \r\n'), late],
  'less than its Content-Length': [write(`${head}Content-Length: 10\r\n\r\n{}`), late],
  'a connection that ends in the body': [
    (socket) => socket.end(`${head}Content-Length: 10\r\n\r\n{}`),
    /aborted/,
  ],
  '100 Continue for ever': [drip('', 'HTTP/1.1 100 Continue\r\n\r\n'), late],
  '103 Early Hints for ever': [drip('', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'), late],
  'another protocol': [
    write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    'it answered HTTP 101',
  ],
  '101 without a protocol': [write('HTTP/1.1 101 Y\r\n\r\n'), 'the answer ended after HTTP 101'],
  'no HTTP': [write('\u0000\u0001garbage\r\n\r\n'), /Parse Error/],
  'a body without an end': [drip(chunked, `100000\r\n${megabyte}\r\n`), long],
  'a body that is too long': [(socket) => answerWith(socket, megabyte.repeat(9)), long],
};

/** Complete answers whose connections may be reused. */
const beyond: typeof lost = {
  'a bomb of gzip': [bomb('gzip', gzipSync(zeros)), long],
  'a bomb of brotli': [bomb('br', brotliCompressSync(zeros)), long],
  'a bomb of zstd': [bomb('zstd', zstdCompressSync(zeros)), long],
  'too many levels': [(socket) => answerWith(socket, `{"data":${'['.repeat(200)}${']'.repeat(200)}}`), deep],
  'too many values': [
    (socket) => answerWith(socket, `[${'1,'.repeat(200_000)}1]`),
    'it has more than 100000 values',
  ],
};

test.for(Object.entries(lost))('gives up on %s, and closes the connection', async ([, [peer, why]]) => {
  await using server = await listen(peer);
  const startedAt = performance.now();
  // Megabytes take longer on a busy machine.
  const timeoutMs = why === long ? 20_000 : 300;
  await expect(get(server.url, createClient({ baseUrl: server.url }, timeoutMs))).rejects.toThrow(why);
  expect(performance.now() - startedAt).toBeLessThan(timeoutMs + 3_000);
  await server.closed();
});

test.for(Object.entries(beyond))('treats %s as a lost answer', async ([, [peer, why]]) => {
  await using server = await listen(peer);
  await expect(get(server.url)).rejects.toThrow(why);
});

const exactly = (text: string): [Peer, string] => [(socket) => answerWith(socket, text), text];

test.for<[string, Peer, string]>([
  ['a body of 8 MB', ...exactly(megabyte.repeat(8))],
  ['brackets in a string, and 200 levels', ...exactly(`${'['.repeat(200)}"[\\"[["${']'.repeat(200)}`)],
  ['text that is not JSON', ...exactly(`x${'['.repeat(300)}`)],
  [
    'an answer after an early hint',
    (socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n');
      answerWith(socket, '{}');
    },
    '{}',
  ],
  [
    'an answer after unasked 100 Continues, one in pieces',
    async (socket) => {
      for (const piece of [
        'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 100\r\nX-A: b\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nH',
        'TTP/1.1 100 Con',
        'tinue\r\n\r',
        '\nHTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n',
        'HTTP/1.1 100',
      ]) {
        socket.write(piece);
        await sleep(20);
      }
    },
    'HTTP/1.1 100',
  ],
])('reads %s', async ([, peer, text]) => {
  await using server = await listen(peer);
  expect((await get(server.url)).text).toBe(text);
});

test('after 192 MB of large answers, reads only small ones', async () => {
  const compressed = gzipSync(Buffer.alloc(8 * megabyte.length, 'x'), { level: 1 });
  const isLarge = { value: true };
  await using server = await listen((socket) =>
    socket.on('data', () =>
      isLarge.value ? bomb('gzip', compressed)(socket) : answerWith(socket, '{"code":0}'),
    ),
  );
  const send = createClient({ baseUrl: server.url }, 20_000);
  for (let calls = 0; calls < 23; calls++) await get(server.url, send);
  await expect(get(server.url, send)).rejects.toThrow('the run has already read 192 MB of large answers');
  isLarge.value = false;
  expect((await get(server.url, send)).text).toBe('{"code":0}');
});

test('does not follow redirects', async () => {
  const redirect = 'HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n';
  await using server = await listen(write(redirect));
  expect((await get(server.url)).status).toBe(302);
  expect(server.connections()).toBe(1);
});

test('gives a call another second after an interruption, and sends nothing after the stop', async () => {
  await using server = await listen(() => {});
  const interruption = new AbortController();
  const ending = createEnding(interruption.signal);
  const send = createClient({ baseUrl: server.url }, 60_000, ending);
  const startedAt = performance.now();
  const waiting = expect(get(server.url, send)).rejects.toThrow('the run was interrupted');
  interruption.abort();
  await waiting;
  expect(performance.now() - startedAt).toBeGreaterThan(900);
  await once(ending.stopped, 'abort');
  const before = server.connections();
  await expect(get(server.url, send)).rejects.toThrow('the run was interrupted');
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(server.connections()).toBe(before);
});

function get(url: string, send = createClient({ baseUrl: url }, 5_000)) {
  return send({ method: 'GET', url, headers: {}, body: undefined });
}

async function listen(peer: Peer) {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => {});
    socket.resume();
    peer(socket);
  });
  const { sockets, ...opened } = await listenTo(server);
  const closed = async () => {
    while (sockets.size > 0) await sleep(5);
  };
  return { ...opened, url: `${opened.origin}/x`, connections: () => connections, closed };
}
