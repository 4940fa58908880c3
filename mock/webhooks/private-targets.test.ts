import dns, { type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { Agent, createServer, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isPrivateHost, lookUpPublic } from './private-targets.ts';
import { createSender, type Target } from './send.ts';

test.each([
  ['127.0.0.1', true],
  ['[::1]', true],
  ['10.1.2.3', true],
  ['172.31.255.255', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['169.254.169.254', true],
  ['100.64.0.1', true],
  ['0.0.0.0', true],
  ['[fe80::1]', true],
  ['[fd00::1]', true],
  ['[::ffff:10.0.0.1]', true],
  ['[::ffff:a00:1]', true],
  ['[::2]', true],
  ['[::8.8.8.8]', true],
  ['[::ffff:0:10.0.0.1]', true],
  ['[::ffff:0:808:808]', true],
  ['[::ffff:8.8.8.8]', false],
  ['[::1:0:0:1]', false],
  ['[64:ff9b::a00:1]', true],
  ['[64:ff9b:1::1]', true],
  ['[64:ff9b:1:ffff:ffff:ffff:ffff:ffff]', true],
  ['[64:ff9b:2::1]', false],
  ['[100::1]', true],
  ['[100:0:0:1::1]', true],
  ['[2001::1]', true],
  ['[2001:1ff:ffff::1]', true],
  ['[2001:200::1]', false],
  ['[2001:db8::1]', true],
  ['[2001:4860:4860::8888]', false],
  ['[2002:a00:1::1]', true],
  ['[2003::1]', false],
  ['[3fff::1]', true],
  ['[3fff:fff:ffff::1]', true],
  ['[3fff:1000::1]', false],
  ['[5f00::1]', true],
  ['[5eff::1]', false],
  ['[5f01::1]', false],
  ['[fec0::1]', true],
  ['[feff::1]', true],
  ['[fe7f::1]', false],
  ['[ff02::1]', true],
  ['[2606:4700::1111]', false],
  ['8.8.8.8', false],
  ['localhost', true],
  ['LOCALHOST.', true],
  ['app.localhost', true],
  ['printer.local', true],
  ['metadata.google.internal', true],
  ['hooks.example', false],
  ['localhost.example', false],
])('%s is private: %s', (host, want) => {
  expect(isPrivateHost(host)).toBe(want);
});

/** A receiver, and how many requests came. */
async function openServer(answer: (response: ServerResponse) => void) {
  let count = 0;
  const server = createServer((_request, response) => {
    count++;
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, count: () => count };
}

async function sendTo(url: string, redirects: Target['redirects'] = 'not-followed'): Promise<unknown> {
  const sender = createSender({ refusesPrivateTargets: true });
  const target = { push: 1, attempt: 1, url, bytes: 0, timeoutSeconds: 5, redirects };
  const reply = await new Promise((resolve) =>
    sender.send(target, () => ({ headers: {}, body: '' }), resolve),
  );
  await sender.close();
  return reply;
}

test.each(['127.0.0.1', 'localhost'])('nothing is sent to %s', async (host) => {
  const { port, count } = await openServer((response) => response.end());
  expect([await sendTo(`http://${host}:${port}/`), count()]).toEqual([
    { error: `EPRIVATE: ${host} is in a private network` },
    0,
  ]);
});

/** Names resolve to these. */
function resolveAs(addresses: readonly string[]) {
  const found = addresses.map((address) => ({ address, family: net.isIP(address) }));
  type Answer = (error: null, addresses: LookupAddress[]) => void;
  const lookup = (_name: string, _options: unknown, answer: Answer) => answer(null, found);
  return vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
}

test.each([[['127.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['64:ff9b:1::7f00:1']], [['::ffff:127.0.0.1']]])(
  'nothing is sent to a name that resolves to %j',
  async (addresses) => {
    const { port, count } = await openServer((response) => response.end());
    using _ = resolveAs(addresses);
    expect([await sendTo(`http://hooks.example:${port}/`), count()]).toEqual([
      { error: 'EPRIVATE: hooks.example is in a private network' },
      0,
    ]);
  },
);

test('the addresses that were checked are those that are called: a name is not asked for twice', () => {
  using lookup = resolveAs(['8.8.8.8', '8.8.4.4']);
  const answer = vi.fn();
  lookUpPublic('hooks.example', { all: true }, answer);
  lookUpPublic('hooks.example', {}, answer);
  expect(answer.mock.calls).toEqual([
    [
      null,
      [expect.objectContaining({ address: '8.8.8.8' }), expect.objectContaining({ address: '8.8.4.4' })],
    ],
    [null, '8.8.8.8', 4],
  ]);
  expect(lookup).toHaveBeenCalledTimes(2);
});

/** All connections lead to a port of this machine, as if it were elsewhere. */
function connectTo(port: number) {
  const lead = () => net.connect({ port, host: '127.0.0.1' });
  return vi.spyOn(Agent.prototype, 'createConnection').mockImplementation(lead);
}

describe.each(['followed', 'counted'] as const)('where redirects are %s', (redirects) => {
  test.each([
    ['http://127.0.0.1:1/', 'EPRIVATE: 127.0.0.1 is in a private network'],
    ['//localhost/x', 'EPRIVATE: localhost is in a private network'],
    ['http://[::1]/', 'EPRIVATE: [::1] is in a private network'],
    ['http://2130706433/', 'EPRIVATE: 127.0.0.1 is in a private network'],
  ])('a public receiver does not lead to %s', async (location, error) => {
    const { port, count } = await openServer((response) => response.writeHead(307, { location }).end());
    using _ = connectTo(port);
    expect([await sendTo('http://hooks.example/', redirects), count()]).toEqual([{ error }, 1]);
  });

  test('nor does one that a public one leads to', async () => {
    const targets = ['http://other.example/', 'http://third.example/', 'http://10.0.0.1/'];
    const { port, count } = await openServer((response) =>
      response.writeHead(302, { location: targets[count() - 1] }).end(),
    );
    using _ = connectTo(port);
    const error = 'EPRIVATE: 10.0.0.1 is in a private network';
    expect([await sendTo('http://hooks.example/', redirects), count()]).toEqual([{ error }, 3]);
  });

  test.each(['http://', 'http://[', 'http://a:99999/'])(
    'a redirect to "%s" leads nowhere',
    async (location) => {
      const { port, count } = await openServer((response) => response.writeHead(302, { location }).end('x'));
      using _ = connectTo(port);
      expect([await sendTo('http://hooks.example/', redirects), count()]).toEqual([
        { status: 302, body: 'x' },
        1,
      ]);
    },
  );
});
