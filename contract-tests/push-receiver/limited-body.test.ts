import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listenTo } from '../testing.ts';
import {
  createReceivingServer,
  type LimitedBody,
  longestBody,
  type Room,
  readLimitedBody,
} from './limited-body.ts';

async function openServer(requestTimeout?: number, room?: Room) {
  const bodies: LimitedBody[] = [];
  const server = createReceivingServer(async (incoming, response) => {
    const body = await readLimitedBody(incoming, response, room);
    bodies.push(body);
    if (body !== 'too-long') response.end('taken');
  }, requestTimeout);
  return { bodies, ...(await listenTo(server)) };
}

/** Everything that a socket receives until it closes. */
function answerOn(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  return new Promise((resolve) => socket.on('error', () => {}).on('close', () => resolve(text)));
}

test.each([
  ['nothing', 0],
  ['the maximum length', longestBody],
])('accepts a body of %s', async (_case, length) => {
  await using server = await openServer();
  const answer = await fetch(server.origin, { method: 'POST', body: Buffer.alloc(length, 'x') });
  expect([answer.status, server.bodies.map(({ length: taken }) => taken)]).toEqual([200, [length]]);
});

test.for(['', 'Expect: 100-continue\r\n'])(
  'refuses a body that is too long by its Content-Length, before it reads it: %j',
  async (header) => {
    await using server = await openServer();
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${header}Content-Length: ${longestBody + 1}\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
    expect(server.bodies).toEqual(['too-long']);
    socket.destroy();
  },
);

test('invites a short body with 100 Continue', async () => {
  await using server = await openServer();
  const headers = { expect: '100-continue', 'content-length': 2 };
  const invited = request(server.origin, { method: 'POST', headers });
  invited.flushHeaders();
  await once(invited, 'continue');
  invited.end('ok');
  expect(((await once(invited, 'response')) as [{ statusCode: number }])[0].statusCode).toBe(200);
});

test.each([['announced'], ['in chunks']])(
  'a sender that sends all of 60 MB before it reads sees the refusal: %s',
  async (kind) => {
    await using server = await openServer();
    const socket = connect(server.port, '127.0.0.1');
    socket.pause();
    const total = 60_000_000;
    const chunk = Buffer.alloc(1_000_000, 'x');
    const length = kind === 'announced' ? `Content-Length: ${total}` : 'Transfer-Encoding: chunked';
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`);
    for (let sent = 0; sent < total; sent += chunk.length) {
      if (kind === 'in chunks') socket.write('f4240\r\n');
      if (!socket.write(chunk)) await once(socket, 'drain');
      if (kind === 'in chunks') socket.write('\r\n');
    }
    if (kind === 'in chunks') socket.write('0\r\n\r\n');
    const answer = answerOn(socket);
    socket.resume();
    expect(await answer).toMatch(/^HTTP\/1\.1 413 .*accepts bodies of up to 8000000 bytes"}$/is);
    expect(server.bodies).toEqual(['too-long']);
  },
);

test('answers 408 to a slow body', async () => {
  await using server = await openServer(300);
  const socket = connect(server.port, '127.0.0.1');
  const answer = answerOn(socket);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
  const drip = setInterval(() => socket.writable && socket.write('x'), 50);
  const text = await Promise.race([answer, sleep(5_000, 'it goes on')]);
  clearInterval(drip);
  expect([text.slice(0, 12), server.bodies]).toEqual(['HTTP/1.1 408', ['broken-off']]);
});

test('arriving bodies share the room and return it if they break off', async () => {
  const room = { left: 10_000 };
  await using server = await openServer(undefined, room);
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {}).write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n');
  socket.write('x'.repeat(8_000));
  while (room.left > 2_000) await sleep(5);
  const push = (length: number) => fetch(server.origin, { method: 'POST', body: Buffer.alloc(length) });
  expect((await push(3_000)).status).toBe(413);
  socket.destroy();
  while (room.left < 10_000) await sleep(5);
  expect((await push(3_000)).status).toBe(200);
  expect(room.left).toBe(7_000);
});
