import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listenTo } from '../testing.ts';
import { createClient } from './http-client.ts';
import { createAuthority, hasOpenssl, stagingHost } from './testing/authority.ts';
import { startForwardProxy } from './testing/forward-proxy.ts';
import { startGateway } from './testing/gateway.ts';

const clientOf = (url: string) => {
  const send = createClient({ baseUrl: url }, 5_000);
  return () => send({ method: 'POST', url, headers: {}, body: '{}' });
};

/** Answers the n-th request. */
type Peer = (socket: Socket, n: number) => void;

const answer = (text: string, status = '200 OK', headers = '') =>
  `HTTP/1.1 ${status}\r\n${headers}Content-Length: ${text.length}\r\n\r\n${text}`;
const unasked = answer('"nobody asked"');
const farewell = answer('"idle"', '408 Request Timeout', 'Connection: close\r\n');
const later = (text: string) => (socket: Socket, n: number) => {
  socket.write(answer(`${n}`));
  setTimeout(() => socket.write(text), 1);
};

const peers: Readonly<Record<string, Peer>> = {
  'two answers at once': (socket, n) => socket.write(answer(`${n}`) + unasked),
  'a second answer a little later': later(unasked),
  'half a second answer': later(unasked.slice(0, 20)),
  'a byte too many': later('H'),
  'a body that is longer than it says': (socket, n) =>
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${n}${unasked}`),
  'an answer behind the last chunk': (socket, n) =>
    socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n${n}\r\n0\r\n\r\n${unasked}`),
  '408 before it closes an idle connection': (socket, n) => {
    socket.write(answer(`${n}`));
    setTimeout(() => socket.end(farewell), 1);
  },
};

const each = Object.keys(peers).flatMap((peer) => [0, 50].map((pauseMs) => [peer, pauseMs] as const));

test.for(each)(
  'the client gets its own answers from a peer with %s, asked every %i ms',
  async ([peer, pauseMs]) => {
    await using server = await listen(peers[peer]);
    const ask = clientOf(`${server.origin}/`);
    const texts: string[] = [];
    for (let calls = 0; calls < 4; calls++) {
      texts.push((await ask()).text);
      if (pauseMs > 0) await sleep(pauseMs);
    }
    expect(texts).toEqual(['1', '2', '3', '4']);
  },
);

test('retries after 408 on a reused connection', async () => {
  const uses = new WeakMap<Socket, number>();
  await using server = await listen((socket, n) => {
    uses.set(socket, (uses.get(socket) ?? 0) + 1);
    if (uses.get(socket) === 1) socket.write(answer(`${n}`));
    else socket.end(farewell);
  });
  const ask = clientOf(`${server.origin}/`);
  const one = await ask();
  await sleep(20);
  const two = await ask();
  expect([one.text, two.status, two.text]).toEqual(['1', 200, '3']);
});

test('returns 408 if a new connection gets it too', async () => {
  await using server = await listen((socket) => socket.write(answer('"no"', '408 Request Timeout')));
  const ask = clientOf(`${server.origin}/`);
  const first = await ask();
  await sleep(20);
  const second = await ask();
  expect([first.status, second.status, server.asked()]).toEqual([408, 408, 3]);
});

test('returns 408 on a new connection after a closed one', async () => {
  await using server = await listen((socket, n) => {
    if (n === 1) socket.end(answer('1'));
    else socket.write(answer('"no"', '408 Request Timeout'));
  });
  const ask = clientOf(`${server.origin}/`);
  await ask();
  await sleep(20);
  expect([(await ask()).status, server.asked()]).toEqual([408, 2]);
});

test('reuses a silent connection', async () => {
  await using server = await listen((socket, n) => socket.write(answer(`${n}`)));
  const ask = clientOf(`${server.origin}/`);
  for (let calls = 0; calls < 3; calls++) {
    await ask();
    await sleep(20);
  }
  expect(server.connections()).toBe(1);
});

async function listen(peer: Peer = () => {}) {
  let [asked, connections] = [0, 0];
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => {});
    // A request arrives as head and body.
    let text = '';
    socket.on('data', (data) => {
      text += data;
      if (!text.endsWith('{}')) return;
      text = '';
      peer(socket, ++asked);
    });
  });
  return { ...(await listenTo(server)), asked: () => asked, connections: () => connections };
}

const title = 'reuses a tunnel only within five seconds (needs openssl)';

test.skipIf(!hasOpenssl)(title, { tags: ['ci'] }, async () => {
  const authority = createAuthority();
  const gateway = await startGateway({ authority });
  const proxy = await startForwardProxy({ ports: { [stagingHost]: gateway.port } });
  const connection = { ca: authority.ca, proxy: { url: proxy.url, variable: 'HTTPS_PROXY' } };
  const url = `https://${stagingHost}/x`;
  const send = createClient({ baseUrl: url, connection }, 5_000);
  const tunnels: number[] = [];
  for (const pauseMs of [0, 50, 6_000]) {
    await sleep(pauseMs);
    await send({ method: 'GET', url, headers: {}, body: undefined });
    tunnels.push(proxy.seen.length);
  }
  await proxy.close();
  await gateway.close();
  expect(tunnels).toEqual([1, 1, 2]);
});
