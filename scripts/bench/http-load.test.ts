import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import type { Call } from './calls.ts';
import { sendLoad } from './http-load.ts';
import { listen } from './listen.ts';

const closing: Server[] = [];
afterEach(() => {
  for (const server of closing.splice(0)) server.close();
});

const calls: Call[] = ['one', 'two'].map((body) => ({
  method: 'POST',
  path: '/x',
  headers: { 'content-type': 'text/plain' },
  body,
}));

/** A server that answers each request with what is said for its number, and keeps the bodies that came. */
async function open(answer: (number: number) => { status: number; text: string }) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    request.once('data', (chunk: Buffer) => {
      received.push(chunk.toString());
      const { status, text } = answer(received.length);
      // In two pieces, as it may come.
      response.writeHead(status, { 'content-length': Buffer.byteLength(text) });
      response.flushHeaders();
      response.end(text);
    });
  });
  closing.push(server);
  return { origin: await listen(server), received };
}

const fine = { status: 200, text: '{"code":0,"message":"完成"}' };

test('makes as many calls as it is told, each in its turn', async () => {
  const { origin, received } = await open(() => fine);
  expect(await sendLoad({ origin, calls, amount: 100 })).toBeGreaterThan(0);
  expect(received.toSorted()).toEqual([...Array(50).fill('one'), ...Array(50).fill('two')]);
});

test.each([
  ['another code', { status: 200, text: '{"code":1,"message":"no"}' }],
  ['another status', { status: 429, text: '{"code":0,"message":"no"}' }],
])('fails where two of a thousand are answered with %s', async (_case, refusal) => {
  const { origin } = await open((number) => (number % 500 === 0 ? refusal : fine));
  await expect(sendLoad({ origin, calls, amount: 1000 })).rejects.toThrow(
    /^2 of 1000 calls of \/x at http.* did not succeed, so nothing was measured.*"message":"no"/s,
  );
});

test('bears one refusal of a thousand', async () => {
  const { origin } = await open((number) => (number === 7 ? { status: 500, text: '' } : fine));
  expect(await sendLoad({ origin, calls, amount: 1000 })).toBeGreaterThan(0);
});
