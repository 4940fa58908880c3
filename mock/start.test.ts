import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { MockError, startMock } from './start.ts';
import { openReceiver } from './testing.ts';

test('gives the addresses and all that is needed to act as the tenants', async () => {
  const mock = await startMock({ seed: 7 });
  const [harbour] = mock.tenants;
  expect(harbour).toEqual({
    name: 'Harbour Café',
    users: [
      { username: 'mei@harbour-cafe.example', password: 'demo-password-mei' },
      { username: 'tom@harbour-cafe.example', password: 'demo-password-tom' },
    ],
    apiKey: expect.stringMatching(/^sp_[A-Za-z0-9]{32}$/),
    sites: [
      { id: 101, name: '海港咖啡馆' },
      { id: 102, name: 'Harbour Roastery' },
    ],
  });
  const health = await (await fetch(`${mock.controlUrl}/health`)).json();
  expect(health).toMatchObject({ ready: true, base_url: mock.baseUrl });
  const listed = await fetch(`${mock.baseUrl}/tenant/sites`, {
    headers: { authorization: `Bearer ${harbour?.apiKey}` },
  });
  expect(await listed.json()).toMatchObject({ code: 0, data: { total: 2 } });
  await mock.close();
});

test('the addresses of an IPv6 mock can be called', async () => {
  const mock = await startMock({ host: '::1' });
  expect(mock.baseUrl).toMatch(/^http:\/\/\[::1\]:\d+\/api\/v1$/);
  expect((await fetch(`${mock.controlUrl}/health`)).status).toBe(200);
  await mock.close();
});

test('a port in use is told with what to do', async () => {
  const { baseUrl, close } = await startMock();
  const port = Number(new URL(baseUrl).port);
  await expect(startMock({ port })).rejects.toStrictEqual(
    new MockError(
      `port ${port} on 127.0.0.1 is in use; choose another with --port, or --port 0 for any free one`,
    ),
  );
  await close();
});

test.each(['0.0.0.0', '::', 'example.com', '10.0.0.1', '127.0.0.1.example.com'])(
  'does not listen on %s',
  async (host) => {
    await expect(startMock({ host })).rejects.toThrow(
      new MockError(
        `${host} is not a loopback address; the mock listens on 127.0.0.1, ::1 or localhost only`,
      ),
    );
  },
);

test('closes at once, with a connection kept open and a push under way', async () => {
  const receiver = await openReceiver(() => undefined);
  const { baseUrl, tenants, close } = await startMock();
  const headers = { authorization: `Bearer ${tenants[0]?.apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: receiver.url, events: ['form.submit'], channel: 'custom' });
  await fetch(`${baseUrl}/tenant/sites/101/webhooks`, { method: 'POST', headers, body });
  await fetch(`${baseUrl}/tenant/sites/101/webhooks/1/test`, { method: 'POST', headers });
  const idle = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  await once(idle, 'connect');
  const ended = once(idle, 'close');
  await waitFor(async () => receiver.received.length === 1);
  const before = performance.now();
  await close();
  await ended;
  await waitFor(async () => (await receiver.countConnections()) === 0);
  expect(performance.now() - before).toBeLessThan(1000);
  receiver.close();
});

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}
