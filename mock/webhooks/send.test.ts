import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
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
  const target = { attempt: 'the first', url, timeoutSeconds: 5, redirects: 'not-followed' } as const;
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
