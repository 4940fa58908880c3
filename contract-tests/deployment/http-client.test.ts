import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createClient } from './http-client.ts';

const json = '{"code":0,"message":"port 港"}';

test.for([
  ['gzip', gzipSync(json)],
  ['X-GZIP', gzipSync(json)],
  ['deflate', deflateSync(json)],
  ['br', brotliCompressSync(json)],
  ['identity', Buffer.from(json)],
] as const)('reads an answer with the coding %s', async ([coding, body]) => {
  expect(await textOf({ coding, body })).toBe(json);
});

test('leaves an answer as it came where it has not the coding that it says', async () => {
  expect(await textOf({ coding: 'gzip', body: Buffer.from('<html>') })).toBe('<html>');
});

async function textOf({ coding, body }: { coding: string; body: Buffer }): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Encoding': coding }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const send = createClient(5_000);
    return (await send({ method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {}, body: undefined }))
      .text;
  } finally {
    server.close();
  }
}
