import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { isLate } from './push-answer.ts';
import { sendPush } from './send-push.ts';

const push = {
  method: 'POST',
  headers: [],
  body: { text: '{}', bytes: Buffer.from('{}') },
} as unknown as Parameters<typeof sendPush>[0];

test('the body of an answer that never ends is waited for a moment', async () => {
  const { answer, ms } = await sendTo((response) => {
    const timer = setInterval(() => response.write('x'), 50);
    response.on('close', () => clearInterval(timer));
  });
  expect(answer).toMatchObject({ kind: 'answered', status: 200, text: expect.stringMatching(/^x+$/) });
  expect(ms).toBeLessThan(2_000);
});

test('of a body without end the first 65,536 characters are read', async () => {
  const piece = Buffer.alloc(1_048_576, 'x');
  let megabytes = 0;
  const { answer } = await sendTo((response) => {
    const flood = Readable.from(
      (function* () {
        for (; megabytes < 400; megabytes++) yield piece;
      })(),
    );
    response.on('close', () => flood.destroy());
    flood.pipe(response);
  });
  expect(answer.kind === 'answered' && answer.text.length).toBe(65_536);
  expect(megabytes).toBeLessThan(64);
});

test('no connection within the time is no answer in time: the sender may be busy, too', async () => {
  const { answer } = await sendTo((response) => response.end('{}'), { timeoutMs: 50, busyMs: 100 });
  expect(answer).toMatchObject({ kind: 'silence', how: 'unconnected' });
  expect(isLate(answer)).toBe(true);
});

test.for([
  ['100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content', { status: 204 }],
  ['102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 401 No', { status: 401 }],
  ['101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade', { how: 'closed' }],
] as const)('of %j, the answer itself counts', async ([lines, want]) => {
  const server = createSocketServer(
    (socket) => void socket.on('error', () => {}).end(`HTTP/1.1 ${lines}\r\n\r\n`),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { signal } = new AbortController();
  for (const transport of [{}, { expectContinue: true }, { chunked: true }])
    expect(
      await sendPush({ ...push, transport }, { url, bodyMs: 1_000, timeoutMs: 4_000, signal }),
    ).toMatchObject(want);
  server.close();
});

async function sendTo(answer: (response: ServerResponse) => void, { timeoutMs = 4_000, busyMs = 0 } = {}) {
  const server = createServer((_request, response) => {
    response.writeHead(200);
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const startedAt = performance.now();
  try {
    const { signal } = new AbortController();
    const sent = sendPush(push, { url, bodyMs: 1_000, timeoutMs, signal });
    while (performance.now() - startedAt < busyMs);
    return { answer: await sent, ms: performance.now() - startedAt };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
