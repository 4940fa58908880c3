import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createSender } from './send.ts';

/** What is said of a receiver that answers with these bytes. */
async function replyTo(bytes: string): Promise<unknown> {
  const server = createServer(
    (socket) => void socket.on('error', () => {}).end(Buffer.from(bytes, 'latin1')),
  );
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const sender = createSender({ refusesPrivateTargets: false });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const target = {
    attempt: 'the first',
    url,
    bytes: 0,
    timeoutSeconds: 5,
    redirects: 'not-followed',
  } as const;
  const reply = await sender.send(target, () => ({ headers: {}, body: '' }));
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
    error: expect.stringMatching(/^(HTTPParserError|HPE_\w+|UND_ERR_SOCKET|ECONNRESET): \S/),
  });
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
      attempt: '',
      url,
      bytes: 1_000_000,
      timeoutSeconds: 0.5,
      redirects: 'not-followed',
    } as const;
    return sender.send(target, () => {
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
