import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { RecordedExchange } from '../recording/recorded-exchange.ts';
import { captureLimits } from './capture-body.ts';
import { startRecordingProxy } from './recording-proxy.ts';

async function startTarget(listener: RequestListener): Promise<{ origin: string; server: Server }> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function startProxy(baseUrl: string, host?: string) {
  const [exchanges, problems]: [RecordedExchange[], string[]] = [[], []];
  const proxy = await startRecordingProxy({
    baseUrl,
    port: 0,
    ...(host !== undefined && { host }),
    onExchange: (exchange) => exchanges.push(exchange),
    onProblem: (problem) => problems.push(problem),
  });
  onTestFinished(() => proxy.close());
  return { ...proxy, exchanges, problems };
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function send(
  url: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<IncomingMessage & { bytes: Buffer }> {
  const sent = request(url, { method, headers, agent: false }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return Object.assign(answer, { bytes: await buffer(answer) });
}

const envelope = { code: 0, message: 'success', data: { site_id: 1001 }, trace_id: 'a' };

test.for([
  ['plainly', undefined, (body: string) => Buffer.from(body)],
  ['in gzip', 'gzip', (body: string) => gzipSync(body)],
  ['in Brotli', 'br', (body: string) => brotliCompressSync(body)],
] as const)(
  'an answer that comes %s passes as it came, and is recorded as what it says',
  async ([, coding, write]) => {
    const bytes = write(JSON.stringify(envelope));
    const seen: unknown[] = [];
    const target = await startTarget(async (incoming, outgoing) => {
      seen.push([
        incoming.method,
        incoming.url,
        incoming.headers.host,
        incoming.headers['x-a'],
        await text(incoming),
      ]);
      outgoing
        .writeHead(201, 'Made', { 'X-B': ['1', '2'], ...(coding && { 'Content-Encoding': coding }) })
        .end(bytes);
    });
    const proxy = await startProxy(`${target.origin}/api/v1`);
    const sent = {
      method: 'POST',
      headers: { 'X-A': '1', 'Content-Type': 'application/json', Authorization: 'Bearer x' },
    };
    const answer = await send(`${proxy.origin}/api/v1/tenant/sites?a=%20b`, {
      ...sent,
      body: '{"name":"Café"}',
    });
    expect([answer.statusCode, answer.statusMessage, answer.headers['x-b'], answer.bytes]).toEqual([
      201,
      'Made',
      '1, 2',
      bytes,
    ]);
    const { host } = new URL(target.origin);
    expect(seen).toEqual([['POST', '/api/v1/tenant/sites?a=%20b', host, '1', '{"name":"Café"}']]);
    expect(proxy.exchanges).toMatchObject([
      {
        method: 'POST',
        url: `${target.origin}/api/v1/tenant/sites?a=%20b`,
        requestHeaders: { authorization: 'Bearer x' },
        requestBody: { name: 'Café' },
        status: 201,
        answer: envelope,
        place: 'call 1 of the recording',
      },
    ]);
  },
);

test.for<[Record<string, string>, Record<string, unknown>]>([
  [{ Location: '{target}/login?next=/' }, { location: '{own}/login?next=/' }],
  [{ Location: '/login' }, { location: '/login' }],
  [{ Location: 'https://sso.example.com/x' }, { location: 'https://sso.example.com/x' }],
  [
    { 'Set-Cookie': 'sid=1; Domain=staging.example; Path=/; Secure; HttpOnly; SameSite=None' },
    { 'set-cookie': ['sid=1; Path=/; HttpOnly; SameSite=Lax'] },
  ],
  [{ 'Set-Cookie': '__Host-sid=1; Path=/; Secure' }, { 'set-cookie': ['__Host-sid=1; Path=/; Secure'] }],
  [{ 'Strict-Transport-Security': 'max-age=1' }, { 'strict-transport-security': undefined }],
  [
    { 'Content-Security-Policy': "default-src 'self'; upgrade-insecure-requests; connect-src {target}" },
    { 'content-security-policy': "default-src 'self'; connect-src {own}" },
  ],
  [
    { 'Access-Control-Allow-Origin': 'https://console.example.com' },
    { 'access-control-allow-origin': 'https://console.example.com' },
  ],
  [{ Connection: 'X-Hop', 'X-Hop': '1' }, { 'x-hop': undefined }],
])('the header %j of an answer is passed as %j', async ([given, want]) => {
  const target = await startTarget((_incoming, outgoing) => {
    const headers = Object.entries(given).map(([name, value]) => [
      name,
      value.replace('{target}', target.origin),
    ]);
    outgoing.writeHead(302, Object.fromEntries(headers)).end();
  });
  const proxy = await startProxy(target.origin);
  const { headers } = await send(`${proxy.origin}/`);
  const [[name = '', value] = []] = Object.entries(want);
  const wanted = typeof value === 'string' ? value.replace('{own}', proxy.origin) : value;
  expect(headers[name]).toEqual(wanted);
  expect(proxy.exchanges).toEqual([]);
});

test('the target sees itself as the origin of its pages, and other origins as they are', async () => {
  const seen: unknown[] = [];
  const target = await startTarget(({ headers }, outgoing) => {
    seen.push([headers.origin, headers.referer, headers['proxy-authorization']]);
    outgoing.end();
  });
  const proxy = await startProxy(target.origin);
  const own = { Origin: proxy.origin, Referer: `${proxy.origin}/sites`, 'Proxy-Authorization': 'Basic x' };
  await send(`${proxy.origin}/`, { headers: own });
  await send(`${proxy.origin}/`, { headers: { Origin: 'https://console.example.com' } });
  expect(seen).toEqual([
    [target.origin, `${target.origin}/sites`, undefined],
    ['https://console.example.com', undefined, undefined],
  ]);
});

test('a stream of events passes while it goes on, and is not kept', async () => {
  const target = await startTarget((_incoming, outgoing) => {
    outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
  });
  const proxy = await startProxy(target.origin);
  const sent = request(`${proxy.origin}/events`).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const [piece] = (await once(answer, 'data')) as [Buffer];
  expect(piece.toString()).toBe('data: 1\n\n');
  sent.destroy();
});

test('a WebSocket passes in both directions', async () => {
  const { origin, server } = await startTarget((_incoming, outgoing) => outgoing.end());
  server.on('upgrade', ({ headers }: IncomingMessage, socket) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${headers.upgrade}\r\nConnection: Upgrade\r\n\r\nhello`,
    );
    socket.pipe(socket);
  });
  const proxy = await startProxy(origin);
  const sent = request(`${proxy.origin}/socket`, {
    headers: { Connection: 'Upgrade', Upgrade: 'websocket' },
  }).end();
  const [answer, socket, head] = (await once(sent, 'upgrade')) as [
    IncomingMessage,
    import('node:net').Socket,
    Buffer,
  ];
  let got = head.toString();
  socket.on('data', (piece: Buffer) => {
    got += piece;
  });
  socket.write('echo');
  await expect.poll(() => got).toBe('helloecho');
  expect(answer.statusCode).toBe(101);
  socket.destroy();
});

test.for([
  ['GET http://169.254.169.254/latest HTTP/1.1', 400],
  ['CONNECT internal.example:443 HTTP/1.1', 405],
  ['GET / HTTP/1.1\r\nHost: evil.example', 421],
] as const)('"%s" is refused: only the target can be reached', async ([line, status]) => {
  const target = await startTarget((_incoming, outgoing) => outgoing.end('target'));
  const proxy = await startProxy(target.origin);
  const socket = connect(Number(new URL(proxy.origin).port), '127.0.0.1');
  socket.write(`${line}\r\n${line.includes('Host') ? '' : 'Host: 127.0.0.1\r\n'}\r\n`);
  const answer = await text(socket);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toMatch(/this proxy (leads to one deployment|answers under)/);
});

test('where the target is not there, that is said with 502', async () => {
  const proxy = await startProxy('http://127.0.0.1:9');
  const answer = await send(`${proxy.origin}/api/v1/x?token=abc`, {
    method: 'POST',
    body: 'x'.repeat(1_000_000),
  });
  expect([answer.statusCode, answer.bytes.toString()]).toEqual([
    502,
    "http://127.0.0.1:9 gave no answer to sitepub's proxy: ECONNREFUSED\n",
  ]);
  expect(proxy.problems).toEqual(["http://127.0.0.1:9 gave no answer to sitepub's proxy: ECONNREFUSED"]);
});

test('an answer that breaks off breaks off for the browser, too', async () => {
  const target = await startTarget((_incoming, outgoing) => {
    outgoing.writeHead(200, { 'Content-Length': 100 }).write('{"code"');
    setTimeout(() => outgoing.destroy(), 20);
  });
  const proxy = await startProxy(target.origin);
  await expect(send(`${proxy.origin}/`)).rejects.toThrow('aborted');
  // What is recorded is told behind the end for the browser.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(proxy.exchanges).toEqual([]);
});

test('a long answer passes whole, and is not kept', async () => {
  const long = Buffer.alloc(captureLimits.body + 1, '1');
  const target = await startTarget((_incoming, outgoing) => outgoing.end(long));
  const proxy = await startProxy(target.origin);
  expect((await send(`${proxy.origin}/media`)).bytes.length).toBe(long.length);
  expect(proxy.exchanges).toMatchObject([{ isWithoutBody: true, answer: undefined, size: 0 }]);
});

test('what unpacks to more than is kept is not kept', async () => {
  const target = await startTarget((_incoming, outgoing) =>
    outgoing
      .writeHead(200, { 'Content-Encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(captureLimits.body + 1, ' '))),
  );
  const proxy = await startProxy(target.origin);
  await send(`${proxy.origin}/`);
  expect(proxy.exchanges).toMatchObject([{ isWithoutBody: true }]);
});

test('a WebSocket that the target refuses and cuts off is cut off for the browser, too', async () => {
  const target = await startTarget(() => {});
  target.server.on('upgrade', (_incoming, socket) => {
    socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 100\r\n\r\nno');
    setTimeout(() => socket.destroy(), 20);
  });
  const proxy = await startProxy(target.origin);
  const socket = connect(Number(new URL(proxy.origin).port), '127.0.0.1');
  socket.write('GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 403 /);
});

test('a login that redirects is no call, and what was typed in it is told apart', async () => {
  const target = await startTarget((_incoming, outgoing) => {
    outgoing.writeHead(302, { Location: '/console' }).end();
  });
  const others: RecordedExchange[] = [];
  const onOther = (exchange: RecordedExchange) => others.push(exchange);
  const proxy = await startRecordingProxy({
    ...{ baseUrl: target.origin, port: 0, onOther },
    onExchange: () => expect.fail('it is no call'),
  });
  onTestFinished(() => proxy.close());
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  await send(`${proxy.origin}/login`, { method: 'POST', headers, body: 'password=kornblume' });
  await expect.poll(() => others).toMatchObject([{ requestBody: { password: 'kornblume' } }]);
});

test('preflights pass, and are not recorded', async () => {
  const target = await startTarget(({ method }, outgoing) =>
    outgoing.writeHead(204, { 'X-Method': method }).end(),
  );
  const proxy = await startProxy(target.origin);
  const answer = await send(`${proxy.origin}/api/v1/x`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://a.example' },
  });
  expect([answer.headers['x-method'], proxy.exchanges.length]).toEqual(['OPTIONS', 0]);
});

test('listening on other addresses than those of this machine comes with a warning', async () => {
  const target = await startTarget((_incoming, outgoing) => outgoing.end('target'));
  expect((await startProxy(target.origin)).warning).toBe(undefined);
  const proxy = await startProxy(target.origin, '0.0.0.0');
  expect(proxy.warning).toMatch(/^who reaches 0\.0\.0\.0:\d+ can use the deployment through this proxy/);
  const { port } = new URL(proxy.origin);
  const answer = await send(`http://127.0.0.1:${port}/`, { headers: { Host: 'lab.example' } });
  expect(answer.bytes.toString()).toBe('target');
});

test.for([
  ['ftp://a.example/', 0, 'the address of the deployment is no http or https address'],
  ['nonsense', 0, 'the address of the deployment is no http or https address'],
] as const)('%s is refused', async ([baseUrl, port, want]) => {
  await expect(startRecordingProxy({ baseUrl, port, onExchange: () => {} })).rejects.toThrow(want);
});

test('a port that is taken is named', async () => {
  const target = await startTarget((_incoming, outgoing) => outgoing.end());
  const port = Number(new URL(target.origin).port);
  await expect(startRecordingProxy({ baseUrl: target.origin, port, onExchange: () => {} })).rejects.toThrow(
    `can't listen on 127.0.0.1:${port} (EADDRINUSE); choose another port`,
  );
});
