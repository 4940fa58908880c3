import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { listenTo } from '../../contract-tests/testing.ts';
import { createForwarder } from './forward-push.ts';
import { startPrintingReceiver } from './printing-receiver.ts';

// Serializing the body again would change these bytes.
const body = Buffer.from('{"event":"publish.complete", "data": {"pages": 1.0, "message": "示例\\u00e9"}}\n');
const push = { method: 'POST', path: '/', rawHeaders: [], body };

async function listen(server: Server): Promise<string> {
  const { origin, close } = await listenTo(server);
  onTestFinished(close);
  return origin;
}

/** A receiver, and the requests that it got. */
async function openTarget(answer: RequestListener = (_request, response) => response.end()) {
  const came: { method?: string; url?: string; rawHeaders: string[]; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', rawHeaders } = request;
    came.push({ method, url, rawHeaders, body: await buffer(request) });
    answer(request, response);
  });
  return { came, origin: await listen(server) };
}

test('forwards method, path, headers and bytes, and returns status, headers and bytes', async () => {
  const { came, origin } = await openTarget((_request, response) => {
    response.writeHead(422, ['X-Answer', '1', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']).end('no\u0000');
  });
  const rawHeaders = [
    ...['Host', 'receiver:4020', 'Connection', 'keep-alive', 'Content-Length', String(body.length)],
    ...['X-Webhook-Signature', 'sha256=00', 'X-Two', 'a', 'X-Two', 'b', 'Expect', '100-continue'],
  ];
  const answer = await createForwarder(`${origin}/hooks/`)({ ...push, path: '/a/../b%2f?x=1&y', rawHeaders });
  const sent = ['Host', new URL(origin).host, 'X-Webhook-Signature', 'sha256=00', 'X-Two', 'a', 'X-Two', 'b'];
  const own = ['Connection', 'close', 'Content-Length', String(body.length)];
  expect(came).toEqual([
    { method: 'POST', url: '/hooks/a/../b%2f?x=1&y', rawHeaders: [...sent, ...own], body },
  ]);
  expect(answer).toMatchObject({ status: 422, body: Buffer.from('no\u0000') });
  expect(answer.rawHeaders).toEqual(expect.arrayContaining(['X-Answer', '1', 'a=1', 'b=2']));
  expect(answer.rawHeaders.map((one) => one.toLowerCase())).not.toContain('connection');
  expect([answer.problem, answer.url]).toEqual([undefined, `${origin}/hooks/a/../b%2f`]);
});

test.for([
  ['/hooks', '/', '/hooks'],
  ['/hooks', '/?a=1', '/hooks?a=1'],
  ['/', '/', '/'],
  ['/', '/shop', '/shop'],
  ['/hooks', '//elsewhere.example/x', '/hooks//elsewhere.example/x'],
  ['/hooks', 'http://elsewhere.example/x?a', '/hooks/x?a'],
] as const)('with target %s, sends %s to %s', async ([own, path, want]) => {
  const { came, origin } = await openTarget();
  await createForwarder(origin + own)({ ...push, path });
  expect(came.map(({ url }) => url)).toEqual([want]);
});

const interim =
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n';

test.for([
  ['HTTP/1.1 307 No\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n', 307, ''],
  [`${interim}HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno`, 401, 'no'],
  ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nxx', 502, 'it answered 101'],
  ['', 502, 'HOST/hooks: ECONNRESET"'],
  [undefined, 502, 'HOST/hooks: ECONNREFUSED"'],
] as const)('answers %j with status %i', async ([bytes, status, text]) => {
  const server = createSocketServer((socket) => void socket.on('error', () => {}).end(bytes ?? ''));
  const origin = await listen(server);
  if (bytes === undefined) await once(server.close(), 'close');
  const answer = await createForwarder(`${origin}/hooks`)(push);
  expect(answer.status).toBe(status);
  expect(answer.body.toString()).toContain(text.replace('HOST', origin));
});

test('frees the memory of forwarded bodies', async () => {
  const { came, origin } = await openTarget();
  const settings = { host: '127.0.0.1', port: 0, secrets: [], steps: [], onPush: () => {} };
  const receiver = await startPrintingReceiver({ ...settings, forward: createForwarder(origin) });
  onTestFinished(receiver.close);
  const statuses: number[] = [];
  for (let count = 0; count < 9; count++)
    statuses.push((await fetch(receiver.url, { method: 'POST', body: Buffer.alloc(8_000_000) })).status);
  expect([statuses, came.length]).toEqual([Array(9).fill(200), 9]);
});
