// @module-tag nightly
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { KeptMock } from '../../start.ts';
import { profileWith } from '../../testing/open-mock.ts';
import { databaseOfTests, openSchema, openVersionReceiver } from '../../testing/replicas.ts';
import { readMetric, startTestMock } from '../../testing/started-mock.ts';
import { ask, notPersisted, publish, subscribe } from './testing/ask.ts';
import { isReady, type LostCommit, openWired, type Wire } from './testing/wire.ts';

const database = databaseOfTests();

/** A push in progress to a slow receiver, from a mock whose connection to the database can be cut. */
async function openPush() {
  const receiver = await openVersionReceiver();
  receiver.hold(1000);
  // A claim ends five seconds after the timeout.
  const profile = profileWith({ 'webhook.timeout': 5 });
  const parts = await openWired(database, { profile });
  await subscribe(parts.mock, { token: parts.token, url: receiver.url });
  await parts.other.close();
  await parts.publishNow();
  const hasGot = (count: number) =>
    expect.poll(() => receiver.versions.get(8), { timeout: 30_000 }).toBe(count);
  await hasGot(1);
  return { ...parts, receiver, hasGot };
}

const isLogged = ({ control }: KeptMock) =>
  expect
    .poll(async () => (await control.deliveries()).deliveries, { timeout: 6000 })
    .toMatchObject([{ state: 'delivered', attempts: [{}] }]);

test('logs an answer of a receiver once the database is back', async () => {
  const { hasGot, store, wire } = await openPush();
  wire.refuse();
  // Calls fail after two seconds.
  await sleep(4000);
  await wire.accept();
  await isLogged(await startTestMock({ store }));
  await hasGot(1);
});

test('another mock takes over a push from a mock without database, and it is logged once', async () => {
  const { receiver, hasGot, store, wire, mock } = await openPush();
  wire.refuse();
  const other = await startTestMock({ store });
  await hasGot(2);
  await isLogged(other);
  await wire.accept();
  await isReady(mock, 6000);
  await sleep(2500);
  await isLogged(mock);
  expect(receiver.bodies.size).toBe(1);
});

test.each<[LostCommit]>([['before'], ['after'], ['on its way']])(
  'executes calls once if the answer to the commit is lost (%s)',
  async (how) => {
    const { wire, other, publishNow, nextVersion } = await openWired(database);
    const lost = wire.loseCommit(how);
    const answers = await Promise.all([1, 2, 3].map(publishNow));
    await lost;
    expect(answers.map(({ body }) => body.data?.version)).toEqual([8, 9, 10]);
    // A repetition would get the first answer.
    expect(await ask(`${other.controlUrl}/requests`)).toMatchObject({ body: { total: 3 } });
    expect(await nextVersion()).toBe(11);
  },
);

test('a late commit is not applied, and blocks other mocks for at most five seconds', async () => {
  const { wire, other, token, publishNow, nextVersion } = await openWired(database);
  const lost = wire.loseCommit('late');
  const late = publishNow();
  await lost;
  const next = await publish(other, token);
  expect(next).toMatchObject({ status: 200, body: { data: { version: 8 } } });
  expect(next.ms).toBeLessThan(9000);
  expect(await late).toMatchObject(notPersisted);
  await sleep(3000);
  expect(await nextVersion()).toBe(9);
});

test('asks for the outcome of a commit for ten seconds, then gives up', async () => {
  const { wire, publishNow, nextVersion } = await openWired(database);
  const lost = wire.loseCommit('after');
  const published = publishNow();
  await lost;
  wire.refuse();
  const answer = await published;
  expect(answer).toMatchObject(notPersisted);
  expect(answer.ms).toBeGreaterThan(8000);
  expect(answer.ms).toBeLessThan(15_000);
  await wire.accept();
  await expect.poll(async () => (await publishNow()).status, { timeout: 5000 }).toBe(200);
  expect(await nextVersion()).toBe(10);
});

test.each<[string, (wire: Wire) => void]>([
  ['before a turn', (wire) => wire.silence()],
  ['at its commit', (wire) => void wire.loseCommit('in silence')],
])('with a silent database %s, answers after ten seconds and persists nothing later', async (_, hush) => {
  const { wire, mock, publishNow, goesOn } = await openWired(database);
  hush(wire);
  const answer = await publishNow();
  expect(answer).toMatchObject(notPersisted);
  expect(answer.ms).toBeLessThan(14_000);
  const next = await publishNow();
  expect(next).toMatchObject(notPersisted);
  expect(next.ms).toBeLessThan(8000);
  expect(await ask(`${mock.controlUrl}/ready`)).toMatchObject({
    status: 503,
    body: { error: expect.stringContaining('no answer within 2 s') },
  });
  wire.speak();
  await goesOn(20_000);
});

test('callers do not notice an outage of less than two seconds', async () => {
  const { wire, publishNow, nextVersion } = await openWired(database);
  wire.refuse();
  const published = publishNow();
  await sleep(700);
  await wire.accept();
  expect(await published).toMatchObject({ status: 200, body: { data: { version: 8 } } });
  expect(await nextVersion()).toBe(9);
});

test('an idle mock notices that its database is back', async () => {
  const { wire, mock } = await openWired(database);
  const problem = async () => (await ask(`${mock.controlUrl}/health`)).body.store?.problem;
  wire.refuse();
  await expect.poll(problem, { timeout: 5000 }).toContain('nothing listens');
  await wire.accept();
  await expect.poll(problem, { timeout: 5000 }).toBeUndefined();
});

test('reports an unreachable database, and continues once it is back', async () => {
  const { wire, mock, publishNow, goesOn } = await openWired(database);
  wire.refuse();
  const [answer, control] = await Promise.all([publishNow(), ask(`${mock.controlUrl}/overview`)]);
  expect(answer).toMatchObject(notPersisted);
  expect(answer.ms).toBeGreaterThan(1500);
  expect(answer.ms).toBeLessThan(8000);
  expect(control).toMatchObject({
    status: 503,
    body: { error: expect.stringContaining('nothing listens') },
  });
  expect((await ask(`${mock.controlUrl}/live`)).status).toBe(200);
  expect(await ask(`${mock.controlUrl}/ready`)).toMatchObject({ status: 503, retryAfter: '1' });
  await wire.accept();
  await goesOn(5000);
});

test('a slow network only slows answers down', async () => {
  const { wire, mock, publishNow } = await openWired(database);
  const turns = () => readMetric(mock, 'sitepub_turn_seconds_count\\{phase="commit"\\}');
  const before = await turns();
  wire.delay(50);
  const answers = await Promise.all(Array.from({ length: 10 }, publishNow));
  const versions = Array.from({ length: 10 }, (_, index) => 8 + index);
  expect(answers.map(({ body }) => body.data?.version)).toEqual(versions);
  expect(Math.min(...answers.map(({ ms }) => ms))).toBeGreaterThan(150);
  expect((await ask(`${mock.controlUrl}/ready`)).status).toBe(200);
  // Waiting calls share a turn.
  expect((await turns()) - before).toBeLessThan(8);
});

const full = expect.stringContaining('out of disk, memory or connections');

async function start(store: string) {
  const mock = await startTestMock({ store });
  return {
    control: (path: string) => ask(`${mock.controlUrl}${path}`),
    /** Returns the version, or the status if it failed. */
    async publishNow(): Promise<number> {
      const { status, body } = await publish(mock, String(mock.tenants[0]?.apiKey));
      return body.data?.version ?? status;
    },
    failures: () => readMetric(mock, 'sitepub_turn_failures_total\\{reason="full"\\}'),
  };
}

test('reports a full disk, and leaves no partial changes', async () => {
  const { url, ask: askDatabase } = await openSchema(database);
  const { control, publishNow, failures } = await start(url);
  expect(await publishNow()).toBe(8);
  // The error of a full disk, in the middle of a turn.
  await askDatabase(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
  await askDatabase('create trigger full_disk before update on sitepub_world execute function refuse()');
  expect(await publishNow()).toBe(503);
  expect(await failures()).toBeGreaterThan(0);
  const asked = async () => {
    await publishNow();
    return Promise.all(['/ready', '/health'].map(control));
  };
  await expect.poll(asked, { timeout: 30_000 }).toMatchObject([
    { status: 503, body: { error: full } },
    { status: 200, body: { store: { problem: full } } },
  ]);
  await askDatabase('drop trigger full_disk on sitepub_world');
  expect(await publishNow()).toBe(9);
  expect(await control('/ready')).toMatchObject({ status: 200, body: { ready: true } });
});

test('reports a server without a free connection, and waits for it', async () => {
  const { url, ask: askDatabase } = await openSchema(database);
  const [{ schema } = {}] = await askDatabase('select current_schema() as schema');
  await askDatabase('create role few login');
  await askDatabase(`alter schema ${schema} owner to few`);
  const { control, publishNow, failures } = await start(url.replace('//tester@', '//few@'));
  await askDatabase('alter role few connection limit 0');
  await askDatabase("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'few'");
  expect(await publishNow()).toBe(503);
  expect(await control('/ready')).toMatchObject({ status: 503, body: { error: full } });
  expect(await failures()).toBeGreaterThan(0);
  await askDatabase('alter role few connection limit -1');
  expect(await publishNow()).toBe(8);
});
