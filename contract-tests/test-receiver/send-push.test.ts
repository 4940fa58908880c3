import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
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

async function sendTo(answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => {
    response.writeHead(200);
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const startedAt = performance.now();
  try {
    const { signal } = new AbortController();
    return {
      answer: await sendPush(push, { url, bodyMs: 1_000, timeoutMs: 4_000, signal }),
      ms: performance.now() - startedAt,
    };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
