import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { ResponseMessage } from '../core/exchange.ts';
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

test.for([
  ['of one byte a character', Buffer.from('{"message":"caf\xe9"}', 'latin1'), 'identity', false],
  [
    'cut within a character',
    Buffer.concat([Buffer.from('{"message":"港').subarray(0, -1), Buffer.from('"}')]),
    'identity',
    false,
  ],
  ['of one byte a character, compressed', gzipSync(Buffer.from('"caf\xe9"', 'latin1')), 'gzip', false],
  ['in UTF-8', Buffer.from(json), 'identity', true],
  ['in UTF-8, with the character that replaces others', Buffer.from('"\ufffd"'), 'identity', true],
] as const)('says whether a body %s is UTF-8', async ([, body, coding, isUtf8]) => {
  expect(await answerOf({ coding, body })).toMatchObject({ isUtf8, json: expect.anything() });
});

async function textOf(given: Parameters<typeof answerOf>[0]): Promise<string> {
  return (await answerOf(given)).text;
}

async function answerOf({ coding, body }: { coding: string; body: Buffer }): Promise<ResponseMessage> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Encoding': coding }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const baseUrl = `http://127.0.0.1:${port}/`;
    const send = createClient({ baseUrl }, 5_000);
    return await send({ method: 'GET', url: baseUrl, headers: {}, body: undefined });
  } finally {
    server.close();
  }
}
