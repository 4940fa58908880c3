import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { verifyWebhook } from '../../webhooks/verify-webhook.ts';
import { createPassOn } from './pass-on.ts';

const secret = 'k3y-of-the-subscription';
// Bytes that a re-serialised body would not have.
const body = Buffer.from(
  '{"event":"publish.complete", "timestamp": "2026-01-02T03:04:05Z", "site_id": 1, "site_name": "x", "data": {"pages": 1.0, "message": "示例\\u00e9"}}\n',
);
const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** A receiver that answers as told, and what came to it. */
async function openTarget(answer: RequestListener) {
  const came: { method: string; url: string; rawHeaders: string[]; body: Buffer; verified: boolean }[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', rawHeaders, headers } = request;
    const bytes = await buffer(request);
    const { ok } = await verifyWebhook({ body: bytes, headers, secret });
    came.push({ method, url, rawHeaders, body: bytes, verified: ok });
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    came,
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

test('passes on method, path, headers and bytes, and gives back status, headers and bytes', async () => {
  await using target = await openTarget((_request, response) => {
    response.writeHead(422, ['X-Answer', '1', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']).end('no\u0000');
  });
  const passOn = createPassOn(`${target.origin}/hooks/`);
  const rawHeaders = [
    ...['Host', 'receiver:4020', 'Connection', 'keep-alive', 'Content-Length', String(body.length)],
    ...['X-Webhook-Signature', signature, 'X-Two', 'a', 'X-Two', 'b', 'Expect', '100-continue'],
  ];
  const answer = await passOn({ method: 'POST', path: '/a/../b%2f?x=1&y', rawHeaders, body });
  expect(target.came).toEqual([
    {
      method: 'POST',
      url: '/hooks/a/../b%2f?x=1&y',
      rawHeaders: expect.arrayContaining([
        new URL(target.origin).host,
        'X-Webhook-Signature',
        'X-Two',
        'a',
        'b',
      ]),
      body,
      verified: true,
    },
  ]);
  expect(target.came[0]?.rawHeaders).not.toContain('receiver:4020');
  expect(answer).toMatchObject({ status: 422, body: Buffer.from('no\u0000') });
  expect(answer.rawHeaders).toEqual(expect.arrayContaining(['X-Answer', '1', 'a=1', 'b=2']));
  expect(answer.rawHeaders.map((one) => one.toLowerCase())).not.toContain('connection');
  expect(answer.problem).toBeUndefined();
  expect(answer.url).toBe(`${target.origin}/hooks/a/../b%2f`);
});

test.for([
  ['/hooks', '/', '/hooks'],
  ['/hooks', '/?a=1', '/hooks?a=1'],
  ['/', '/', '/'],
  ['/', '/shop', '/shop'],
  ['/hooks', '//elsewhere.example/x', '/hooks//elsewhere.example/x'],
  ['/hooks', 'http://elsewhere.example/x?a', '/hooks/x?a'],
] as const)('behind %s, %s goes to %s', async ([own, path, want]) => {
  await using target = await openTarget((_request, response) => response.end());
  await createPassOn(target.origin + own)({ method: 'POST', path, rawHeaders: [], body });
  expect(target.came.map(({ url }) => url)).toEqual([want]);
});

test('a redirect is the answer, and is not followed', async () => {
  await using target = await openTarget((_request, response) =>
    response.writeHead(307, { Location: '/other' }).end(),
  );
  const answer = await createPassOn(target.origin)({
    method: 'GET',
    path: '/',
    rawHeaders: [],
    body: Buffer.of(),
  });
  expect([answer.status, target.came.length, target.came[0]?.method]).toEqual([307, 1, 'GET']);
});

const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n';
const early = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n';

test.for([
  [`${interim}${early}HTTP/1.1 401 No\r\nX-Answer: 1\r\nContent-Length: 2\r\n\r\nno`, 401, 'no'],
  [
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nxx',
    502,
    'it answered 101',
  ],
] as const)('of %j, the answer itself is passed back', async ([bytes, status, text]) => {
  const server = createSocketServer((socket) => void socket.on('error', () => {}).end(bytes));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = await createPassOn(target)({ method: 'POST', path: '/', rawHeaders: [], body });
  expect(answer.status).toBe(status);
  expect(answer.body.toString()).toContain(text);
});

test('a target that is not there or breaks off gives 502 with the reason', async () => {
  const gone = await openTarget((_request, response) => response.end());
  await gone[Symbol.asyncDispose]();
  await using broken = await openTarget((_request, response) => response.socket?.destroy());
  const pass = (origin: string) =>
    createPassOn(`${origin}/hooks`)({ method: 'POST', path: '/', rawHeaders: [], body });
  const problem = `it could not be passed on to ${gone.origin}/hooks: ECONNREFUSED`;
  const { status, problem: said, body: told } = await pass(gone.origin);
  expect({ status, said, told: JSON.parse(told.toString()) }).toEqual({
    status: 502,
    said: problem,
    told: { error: problem },
  });
  expect(await pass(broken.origin)).toMatchObject({
    status: 502,
    problem: expect.stringMatching(/ECONNRESET$/),
  });
});
