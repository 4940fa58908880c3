import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { StoreError } from '../store-error.ts';
import { openPostgres } from './open-postgres.ts';

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(kind: string, text: string): Buffer {
  const head = Buffer.from(`${kind}????`);
  head.writeUInt32BE(text.length + 4, 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

test.each([
  ['without tables', message('C', 'SELECT 0\0')],
  ['that refuses the planner settings', message('E', 'SERROR\0C42501\0Mno\0\0')],
])('closes the connection to a server %s', async (_, answer) => {
  const { promise: closed, resolve } = Promise.withResolvers<unknown>();
  const ready = message('Z', 'I');
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('close', resolve);
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', '\0\0\0\0'), ready]));
      socket.on('data', () => socket.write(Buffer.concat([answer, ready])));
    });
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const opening = openPostgres(`postgres://a@127.0.0.1:${port}/a`, { migrates: false });
  await expect(opening).rejects.toThrow(StoreError);
  await closed;
});
