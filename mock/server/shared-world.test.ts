// @module-tag nightly
// More tests of shared worlds: mock/store/replicas/ and cli/commands/replicas.test.ts.
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { KeptMock, KeptOptions } from '../start.ts';
import { listenTo } from '../testing/open-control.ts';
import { openReceiver } from '../testing/open-mock.ts';
import { makeSchema } from '../testing/postgres-server.ts';
import { databaseOfTests } from '../testing/replicas.ts';
import { hook, logIn, readMetric, send, startTestMock } from '../testing/started-mock.ts';

const database = databaseOfTests();

/** Starts three mocks on a new schema. */
async function open(options: Partial<KeptOptions> = {}): Promise<[KeptMock, KeptMock, KeptMock]> {
  const start = { store: await makeSchema(database), ...options };
  return [await startTestMock(start), await startTestMock(start), await startTestMock(start)];
}

async function traceOf({ baseUrl }: KeptMock, path: string): Promise<string> {
  return (await send<{ trace_id: string }>(baseUrl + path)).body.trace_id;
}

test('the shared journal has at least the last 1000 requests, and counts the evicted ones', async () => {
  const [first, second] = await open();
  for (let round = 0; round < 13; round++)
    await Promise.all(Array.from({ length: 100 }, () => traceOf(round % 2 ? second : first, '/nowhere')));
  for (const { control } of [first, second]) {
    const { total, evicted } = await control.requests({ limit: 1 });
    expect(total).toBeGreaterThanOrEqual(1000);
    expect(total).toBeLessThanOrEqual(1200);
    expect(total + evicted).toBe(1300);
  }
});

test('a stream reports the events of all mocks', async () => {
  const [first, second] = await open({ clock: 'manual' });
  const { events, response } = await listenTo(`${first.controlUrl}/stream`);
  onTestFinished(() => void response.destroy());
  const heard = () => events().map(({ event }) => event);
  const token = await logIn(second);
  const sites = `${second.baseUrl}/tenant/sites/101`;
  await send(`${sites}/webhooks`, { token, body: hook(`${second.controlUrl}/inbox/ci`) });
  await send(`${sites}/publish`, { token, body: { note: 'a' } });
  await second.control.drain();
  await second.control.advance('PT1H');
  await expect
    .poll(() => [...new Set(heard())].sort(), { timeout: 5000 })
    .toEqual(['clock', 'delivery', 'message', 'request']);
  // A login, a subscription and a publish.
  expect(heard().filter((event) => event === 'request')).toHaveLength(3);
});

const counting = 'trace-id-after-a-hundred-answers-again';

test('a joining mock has the active faults, unless it is given others', async () => {
  const store = await makeSchema(database);
  const first = await startTestMock({ store, faults: [counting] });
  const traces = [await traceOf(first, '/tenant/sites')];
  for (const options of [{ faults: [counting] }, {}])
    traces.push(await traceOf(await startTestMock({ store, ...options }), '/tenant/sites'));
  expect(traces).toEqual(['trace-1', 'trace-2', 'trace-3']);
  await startTestMock({ store, faults: ['no-trace-id-on-404'] });
  expect(await first.control.faults()).toMatchObject({ on: ['no-trace-id-on-404'] });
});

test('a leaving mock is not ready at once, and closes connections with its answers', async () => {
  const mock = await startTestMock({ store: await makeSchema(database) });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  expect(await ask(`${mock.baseUrl}/tenant/sites`, agent)).toEqual([401, 'keep-alive']);
  const draining = mock.drain();
  expect(await ask(`${mock.controlUrl}/ready`)).toEqual([503, 'close']);
  expect(await ask(`${mock.controlUrl}/live`)).toEqual([200, 'close']);
  await sleep(500);
  expect(await ask(`${mock.baseUrl}/tenant/sites`, agent)).toEqual([401, 'close']);
  await draining;
  await expect(ask(`${mock.baseUrl}/tenant/sites`)).rejects.toThrow('ECONNREFUSED');
});

test('a leaving mock waits for its own pushes, and leaves due ones to others', async () => {
  const store = await makeSchema(database);
  const mock = await startTestMock({ store });
  const { apiKey: token } = mock.tenants[0] ?? {};
  const post = (path: string, body: object) =>
    send(`${mock.baseUrl}/tenant/sites/101${path}`, { token, body });
  const receiver = await openReceiver(async () => {
    await sleep(500);
    return { status: 200 };
  });
  await post('/webhooks', hook(receiver.url));
  await post('/publish', { note: 'first' });
  await expect.poll(() => readMetric(mock, 'sitepub_claims')).toBe(1);
  // Started later, since it might take the first push.
  const other = await startTestMock({ store });
  const sent = (one: KeptMock) => readMetric(one, 'sitepub_attempts_total\\{.*\\}');
  const draining = mock.drain();
  expect((await post('/publish', { note: 'second' })).status).toBe(200);
  await expect.poll(() => sent(mock)).toBe(1);
  await draining;
  await expect.poll(() => sent(other), { timeout: 5000 }).toBe(1);
  const { deliveries } = await other.control.deliveries();
  expect(deliveries).toMatchObject(Array(2).fill({ state: 'delivered', attempts: [{}] }));
});

async function ask(url: string, agent?: Agent): Promise<[status: number | undefined, connection: unknown]> {
  const [answer] = (await once(get(url, { agent: agent ?? false }), 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return [answer.statusCode, answer.headers.connection];
}
