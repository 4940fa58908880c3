// What callers see when the network between a mock and its database fails. Another mock, which is connected without it, tells what has happened.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type StartedMock, startMock } from '../start.ts';
import { makeSchema, type PostgresServer, startPostgres } from '../testing/postgres-server.ts';
import { inPostgres } from '../testing/replicas.ts';
import { type LostCommit, openWire, type Wire } from '../testing/wire.ts';

let database: PostgresServer;
beforeAll(async () => {
  database = await startPostgres({ isDurable: false });
});
afterAll(() => database.stop());

interface Parts {
  wire: Wire;
  /** Connected by the wire. */
  mock: StartedMock;
  /** Connected without it. */
  other: StartedMock;
  token: string;
}

async function open(): Promise<Parts> {
  const store = await makeSchema(database);
  const wire = await openWire(store);
  const other = await startMock({ store, limits: 'off' });
  const mock = await startMock({ store: wire.url, limits: 'off' });
  onTestFinished(async () => {
    await mock.close();
    await other.close();
    wire.close();
  });
  return { wire, mock, other, token: String(mock.tenants[0]?.apiKey) };
}

interface Answer {
  status: number;
  retryAfter: string | null;
  body: { code?: number; data?: { version: number }; error?: string; trace_id?: string };
  ms: number;
}

async function ask(url: string, { token = '', body }: { token?: string; body?: object }): Promise<Answer> {
  const startedAt = performance.now();
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: (await answer.json()) as Answer['body'],
    ms: performance.now() - startedAt,
  };
}

let publishes = 0;

/** Never the same twice, which would be taken for a repetition. */
function publish({ baseUrl }: StartedMock, token: string): Promise<Answer> {
  return ask(`${baseUrl}/tenant/sites/101/publish`, { token, body: { note: `${++publishes}` } });
}

/** The version that comes next, by a mock that is well. */
async function nextVersion({ other, token }: Parts): Promise<number | undefined> {
  return (await publish(other, token)).body.data?.version;
}

const notKept = { status: 503, retryAfter: '1', body: { code: 50000, trace_id: expect.any(String) } };

inPostgres('a database that is back within two seconds is not noticed', async () => {
  const parts = await open();
  parts.wire.refuse();
  const published = publish(parts.mock, parts.token);
  await sleep(700);
  await parts.wire.accept();
  expect(await published).toMatchObject({ status: 200, body: { data: { version: 8 } } });
  expect(await nextVersion(parts)).toBe(9);
});

inPostgres('a database that stays away is told, and when it is back all goes on', async () => {
  const parts = await open();
  const { wire, mock, token } = parts;
  wire.refuse();
  const [answer, control] = await Promise.all([publish(mock, token), ask(`${mock.controlUrl}/overview`, {})]);
  expect(answer).toMatchObject(notKept);
  expect(answer.ms).toBeGreaterThan(1500);
  expect(answer.ms).toBeLessThan(8000);
  expect(control).toMatchObject({ status: 503, body: { error: expect.stringContaining('nothing listens') } });
  expect((await ask(`${mock.controlUrl}/live`, {})).status).toBe(200);
  expect(await ask(`${mock.controlUrl}/ready`, {})).toMatchObject({ status: 503, retryAfter: '1' });
  await wire.accept();
  await expect
    .poll(async () => (await ask(`${mock.controlUrl}/ready`, {})).status, { timeout: 5000 })
    .toBe(200);
  expect((await publish(mock, token)).body.data?.version).toBe(8);
  expect(await nextVersion(parts)).toBe(9);
});

inPostgres.each<[LostCommit]>([['before'], ['after'], ['on its way']])(
  'calls whose commit is lost (%s) happen once',
  async (how) => {
    const parts = await open();
    const lost = parts.wire.loseCommit(how);
    const answers = await Promise.all([1, 2, 3].map(() => publish(parts.mock, parts.token)));
    await lost;
    expect(answers.map(({ status, body }) => [status, body.data?.version])).toEqual([
      [200, 8],
      [200, 9],
      [200, 10],
    ]);
    // A repetition would be answered with the first answer.
    expect(await ask(`${parts.other.controlUrl}/requests`, {})).toMatchObject({ body: { total: 3 } });
    expect(await nextVersion(parts)).toBe(11);
  },
);

inPostgres(
  'a commit that comes too late has not happened, and others wait for it no longer than five seconds',
  async () => {
    const parts = await open();
    const lost = parts.wire.loseCommit('late');
    const late = publish(parts.mock, parts.token);
    await lost;
    const next = await publish(parts.other, parts.token);
    expect(next).toMatchObject({ status: 200, body: { data: { version: 8 } } });
    expect(next.ms).toBeLessThan(9000);
    expect(await late).toMatchObject(notKept);
    await sleep(3000);
    expect(await nextVersion(parts)).toBe(9);
  },
);

inPostgres('whether a commit happened is asked for ten seconds; then nobody waits any longer', async () => {
  const parts = await open();
  const { wire, mock, token } = parts;
  const lost = wire.loseCommit('after');
  const published = publish(mock, token);
  await lost;
  wire.refuse();
  const answer = await published;
  expect(answer).toMatchObject(notKept);
  expect(answer.ms).toBeGreaterThan(8000);
  expect(answer.ms).toBeLessThan(15_000);
  await wire.accept();
  await expect.poll(async () => (await publish(mock, token)).status, { timeout: 5000 }).toBe(200);
  expect(await nextVersion(parts)).toBe(10);
});

inPostgres.each<[string, (wire: Wire) => void]>([
  ['before a turn', (wire) => wire.silence()],
  ['at its commit', (wire) => void wire.loseCommit('in silence')],
])(
  'silence %s is an answer after ten seconds, and what was sent into it is not kept later',
  async (_, hush) => {
    const parts = await open();
    const { wire, mock, token } = parts;
    hush(wire);
    const answer = await publish(mock, token);
    expect(answer).toMatchObject(notKept);
    expect(answer.ms).toBeLessThan(14_000);
    expect(await ask(`${mock.controlUrl}/ready`, {})).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining('no answer within 2 s') },
    });
    wire.speak();
    await expect
      .poll(async () => (await ask(`${mock.controlUrl}/ready`, {})).status, { timeout: 20_000 })
      .toBe(200);
    expect((await publish(mock, token)).body.data?.version).toBe(8);
    expect(await nextVersion(parts)).toBe(9);
  },
);

inPostgres('a slow network makes answers slow, and nothing else', async () => {
  const parts = await open();
  const { wire, mock, token } = parts;
  const turns = async () => {
    const text = await (await fetch(`${mock.controlUrl}/metrics`)).text();
    return Number(/^sitepub_turn_seconds_count\{phase="commit"\} (\d+)$/m.exec(text)?.[1]);
  };
  const before = await turns();
  wire.delay(50);
  const answers = await Promise.all(Array.from({ length: 10 }, () => publish(mock, token)));
  expect(answers.map(({ body }) => body.data?.version)).toEqual(
    Array.from({ length: 10 }, (_, index) => 8 + index),
  );
  expect(Math.min(...answers.map(({ ms }) => ms))).toBeGreaterThan(150);
  expect((await ask(`${mock.controlUrl}/ready`, {})).status).toBe(200);
  // Calls that wait together are done together.
  expect((await turns()) - before).toBeLessThan(8);
});
