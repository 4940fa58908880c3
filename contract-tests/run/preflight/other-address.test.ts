import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { answersLogin } from './other-address.ts';

test('an address that answers without end is left', async () => {
  const piece = Buffer.alloc(1_048_576, ' ');
  let megabytes = 0;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const flood = Readable.from(
      (function* () {
        for (; megabytes < 400; megabytes++) yield piece;
      })(),
    );
    response.on('close', () => flood.destroy());
    flood.pipe(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    expect(await answersLogin(`http://127.0.0.1:${port}/api/v1`)).toBe(false);
    expect(megabytes).toBeLessThan(64);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
