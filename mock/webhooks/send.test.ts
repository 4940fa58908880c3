import dns, { type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { Agent } from 'node:http';
import net, { type AddressInfo, createServer, type Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Profile } from '../../openapi/profile.ts';
import { openReceiver, profileWith } from '../testing/open-mock.ts';
import type { Message } from './post.ts';
import { isPrivateHost, lookUpPublic } from './private-targets.ts';
import { createSender, type Reply } from './send.ts';

type Redirects = Profile['values']['webhook.redirects'];

function openSender({ redirects = 'not-followed' as Redirects, refusesPrivateTargets = false } = {}) {
  const profile = profileWith({ 'webhook.timeout': 1, 'webhook.redirects': redirects });
  const sender = createSender({ profile, refusesPrivateTargets });
  onTestFinished(() => sender.close());
  return (
    url: string,
    { bytes = 0, make = (): Message => ({ headers: {}, body: '' }) } = {},
  ): Promise<Reply | undefined> =>
    new Promise((resolve) => sender.send({ push: 1, attempt: 1, url, bytes }, make, resolve));
}

async function listen(server: Server): Promise<string> {
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A receiver that redirects its first requests to these addresses. */
async function openRedirecting(...locations: ((host: string) => string)[]) {
  const { url, received } = await openReceiver(() => {
    const location = locations[received.length - 1]?.(host);
    return { body: 'x', ...(location === undefined ? { status: 200 } : { status: 302, location }) };
  });
  const { host } = new URL(url);
  const seen = () => received.map(({ path, headers }) => `${path} ${headers.authorization}`);
  return { host, seen, count: () => received.length };
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test.for([
  ['', undefined],
  [':pw@', basic(':pw')],
  ['us%40er:p%3Aw%2F@', basic('us@er:p:w/')],
  ['ü:密@', basic('ü:密')],
  ['a:50%@', basic('a:50%')],
] as const)('calls an address with %j with these credentials', async ([credentials, want]) => {
  const { host, seen } = await openRedirecting();
  await openSender()(`http://${credentials}${host}/in?a=1`);
  expect(seen()).toEqual([`/in?a=1 ${want}`]);
});

test.for<[string, (elsewhere: string) => string, string | undefined]>([
  ['the same place', () => '/next', basic('user:pw')],
  ['another place', (elsewhere) => `http://${elsewhere}/next`, undefined],
  ['another place with its own', (elsewhere) => `http://a:b@${elsewhere}/next`, basic('a:b')],
])('sends no foreign credentials after a redirect to %s', async ([, location, want]) => {
  const { host, seen } = await openRedirecting((host) => location(host.replace('127.0.0.1', 'localhost')));
  await openSender({ redirects: 'counted' })(`http://user:pw@${host}/in`);
  expect(seen()).toEqual([`/in ${basic('user:pw')}`, `/next ${want}`]);
});

async function replyTo(bytes: string, redirects?: Redirects): Promise<Reply | undefined> {
  const server = createServer(
    (socket) => void socket.on('error', () => {}).end(Buffer.from(bytes, 'latin1')),
  );
  return openSender({ redirects })(`http://${await listen(server)}/`);
}

test.each([
  'HELLO\r\n\r\n',
  '\x16\x03\x01\x02',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz',
  '',
  // Unrequested, and truncated.
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nxx',
  'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
])('logs the answer %j as an error with a name', async (bytes) => {
  expect(await replyTo(bytes)).toEqual({ error: expect.stringMatching(/^(HPE_\w+|ECONNRESET|Error): \S/) });
});

test.each([
  ['100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 503 No\r\n\r\n', 503, ''],
  ['103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 202 A\r\nContent-Length: 2\r\n\r\nok', 202, 'ok'],
  ['200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1\r\n!\r\n0\r\nX-Trailer: 1\r\n\r\n', 200, 'ok!'],
  ['200 OK\r\n\r\nuntil the end', 200, 'until the end'],
  ['200 OK\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\nok', 200, 'ok'],
  // Not redirects, despite their Location.
  ['201 Created\r\nLocation: mailto:a@b.example\r\nContent-Length: 2\r\n\r\nok', 201, 'ok'],
  ['304 Not Modified\r\nLocation: mailto:a@b.example\r\n\r\n', 304, ''],
])('logs the answer %j', async (bytes, status, body) => {
  expect(await replyTo(`HTTP/1.1 ${bytes}`, 'counted')).toEqual({ status, body });
});

const noWebAddresses = ['mailto:a@b.example', 'ftp://b.example/', 'blob:http://127.0.0.1:1/'];

test.each(noWebAddresses)('a redirect to %s is an error', async (location) => {
  const bytes = `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;
  const error = `Error: unsupported protocol ${new URL(location).protocol}; expected http: or https:`;
  expect(await replyTo(bytes, 'counted')).toEqual({ error });
  expect(await replyTo(bytes)).toEqual({ status: 302, body: '' });
});

test('follows at most five redirects', async () => {
  const { host, count } = await openRedirecting(...Array.from({ length: 9 }, () => () => '/next'));
  expect(await openSender({ redirects: 'counted' })(`http://${host}/`)).toEqual({ status: 302, body: 'x' });
  expect(count()).toBe(6);
});

test('a redirect does not prolong the timeout', async () => {
  const { url } = await openReceiver(async (path) => {
    await sleep(600);
    return path === '/' ? { status: 302, location: '/next' } : undefined;
  });
  const startedAt = performance.now();
  const reply = await openSender({ redirects: 'followed' })(`${url}/`);
  expect(reply).toEqual({ error: 'no complete answer within 1 s' });
  expect(performance.now() - startedAt).toBeLessThan(1_500);
});

test('sends exactly these bytes', async () => {
  let bytes = '';
  const server = createServer((socket) =>
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        bytes += chunk.toString();
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      }),
  );
  const host = await listen(server);
  const make = () => ({ headers: { 'X-Own': '1', Accept: '*/*' }, body: '"漢"' });
  await openSender()(`http://user:pw@${host}/in?a=1`, { make });
  expect(bytes.split('\r\n')).toEqual([
    'POST /in?a=1 HTTP/1.1',
    'X-Own: 1',
    'Accept: */*',
    'Authorization: Basic dXNlcjpwdw==',
    `Host: ${host}`,
    'Connection: keep-alive',
    'Content-Length: 5',
    '',
    '"漢"',
  ]);
});

test('sends at most 32 MB at a time', async () => {
  const host = await listen(createServer((socket) => void socket.on('error', () => {}).pause()));
  const body = 'x'.repeat(1_000_000);
  let made = 0;
  const make = () => {
    made++;
    return { headers: {}, body };
  };
  const send = openSender();
  const replies = Array.from({ length: 40 }, (_, index) =>
    send(`http://${host}/${index}`, { bytes: body.length, make }),
  );
  await nextTurn();
  expect(made).toBe(32);
  const error = 'no complete answer within 1 s';
  expect(await Promise.all(replies)).toEqual(Array.from({ length: 40 }, () => ({ error })));
  expect(made).toBe(40);
});

describe('with private targets refused', () => {
  const sendTo = (url: string, redirects?: Redirects) =>
    openSender({ redirects, refusesPrivateTargets: true })(url);
  const refusalOf = (host: string) => ({ error: `EPRIVATE: ${host} is in a private network` });

  test.each(['127.0.0.1', 'localhost'])('sends nothing to %s', async (name) => {
    const { host, count } = await openRedirecting();
    expect(await sendTo(`http://${host.replace('127.0.0.1', name)}/`)).toEqual(refusalOf(name));
    expect(count()).toBe(0);
  });

  function resolveAs(addresses: readonly string[]) {
    const found = addresses.map((address) => ({ address, family: net.isIP(address) }));
    type Answer = (error: null, addresses: LookupAddress[]) => void;
    const lookup = (_name: string, _options: unknown, answer: Answer) => answer(null, found);
    return vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
  }

  const resolved = [[['8.8.8.8', '127.0.0.1']], [['::ffff:127.0.0.1']]];

  test.each(resolved)('sends nothing to a name that resolves to %j', async (addresses) => {
    const { host, count } = await openRedirecting();
    using _ = resolveAs(addresses);
    const reply = await sendTo(`http://${host.replace('127.0.0.1', 'hooks.example')}/`);
    expect([reply, count()]).toEqual([refusalOf('hooks.example'), 0]);
  });

  test('resolves a name once, and calls the checked addresses', () => {
    using lookup = resolveAs(['8.8.8.8', '8.8.4.4']);
    const answer = vi.fn();
    lookUpPublic('hooks.example', { all: true }, answer);
    lookUpPublic('hooks.example', {}, answer);
    const [one, other] = ['8.8.8.8', '8.8.4.4'].map((address) => expect.objectContaining({ address }));
    expect(answer.mock.calls).toEqual([
      [null, [one, other]],
      [null, '8.8.8.8', 4],
    ]);
    expect(lookup).toHaveBeenCalledTimes(2);
  });

  /** All connections lead to this receiver. */
  async function openPublic(...locations: string[]) {
    const { host, count } = await openRedirecting(...locations.map((location) => () => location));
    const lead = () => net.connect({ port: Number(host.split(':')[1]), host: '127.0.0.1' });
    const spy = vi.spyOn(Agent.prototype, 'createConnection').mockImplementation(lead);
    onTestFinished(() => spy.mockRestore());
    return count;
  }

  test.for([
    { locations: ['http://127.0.0.1:1/'], refused: '127.0.0.1' },
    { locations: ['//localhost/x'], refused: 'localhost' },
    { locations: ['http://[::1]/'], refused: '[::1]' },
    { locations: ['http://2130706433/'], refused: '127.0.0.1' },
    { locations: ['http://other.example/', 'http://10.0.0.1/'], refused: '10.0.0.1' },
    { locations: ['http://['], refused: undefined },
    { locations: ['http://a:99999/'], refused: undefined },
  ])('follows no redirect of $locations to a private target', async ({ locations, refused }) => {
    const want = refused === undefined ? { status: 302, body: 'x' } : refusalOf(refused);
    for (const redirects of ['followed', 'counted'] as const) {
      const count = await openPublic(...locations);
      expect(await sendTo('http://hooks.example/', redirects)).toEqual(want);
      expect(count()).toBe(locations.length);
    }
  });
});

const privateHosts = `127.0.0.1 10.1.2.3 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 [::1] [fe80::1]
  [fd00::1] [::ffff:10.0.0.1] [::ffff:a00:1] [::2] [::8.8.8.8] [::ffff:0:10.0.0.1] [::ffff:0:808:808] [64:ff9b::a00:1]
  [64:ff9b:1::1] [64:ff9b:1:ffff:ffff:ffff:ffff:ffff] [100::1] [100:0:0:1::1] [2001::1] [2001:1ff:ffff::1]
  [2001:db8::1] [2002:a00:1::1] [3fff::1] [3fff:fff:ffff::1] [5f00::1] [fec0::1] [feff::1] [ff02::1] localhost LOCALHOST.
  app.localhost printer.local metadata.google.internal`;

const publicHosts = `172.32.0.1 8.8.8.8 [::ffff:8.8.8.8] [::1:0:0:1] [64:ff9b:2::1] [2001:200::1] [2001:4860:4860::8888]
  [2003::1] [3fff:1000::1] [5eff::1] [5f01::1] [fe7f::1] [2606:4700::1111] hooks.example localhost.example`;

test.each([
  ...privateHosts.split(/\s+/).map((host) => [host, true] as const),
  ...publicHosts.split(/\s+/).map((host) => [host, false] as const),
])('judges whether %s is private: %s', (host, want) => {
  expect(isPrivateHost(host)).toBe(want);
});
