// @module-tag nightly
// Three mocks behind a load balancer are ended and started anew one after the other, and no caller notices.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openBalancer } from '../../testing/balancer.ts';
import {
  countPending,
  openDatabase,
  openVersionReceiver,
  type Replica,
  startReplica,
} from '../../testing/replicas.ts';

interface Answered {
  status: number;
  text: string;
  data: { token?: string; version?: number } | undefined;
}

async function call(url: string, { body, token = '' }: { body?: object; token?: string }): Promise<Answered> {
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await answer.text();
  const data = answer.ok ? (JSON.parse(text) as Answered).data : undefined;
  return { status: answer.status, text, data };
}

/** Publishes and reads, each with a session of its own, until it is told to end. */
function callSteadily(baseUrl: string) {
  const failed: string[] = [];
  const accepted: number[] = [];
  let calls = 0;
  let isEnding = false;
  const note = ({ status, text }: Answered) => {
    calls++;
    if (status !== 200) failed.push(`${status} ${text}`);
  };
  const worker = async (number: number): Promise<void> => {
    const login = { username: 'mei@harbour-cafe.example', password: 'demo-password-mei' };
    const entered = await call(`${baseUrl}/auth/tenant/login`, { body: login });
    note(entered);
    const token = entered.data?.token ?? '';
    for (let count = 0; !isEnding; count++) {
      const published = await call(`${baseUrl}/tenant/sites/101/publish`, {
        body: { note: `${number}-${count}` },
        token,
      });
      note(published);
      if (published.data?.version !== undefined) accepted.push(published.data.version);
      note(await call(`${baseUrl}/tenant/sites`, { token }));
      await sleep(5);
    }
  };
  const workers = Promise.all(Array.from({ length: 12 }, (_, index) => worker(index)));
  workers.catch(() => {});
  return {
    async end() {
      isEnding = true;
      await workers;
      return { failed, accepted, calls };
    },
  };
}

type Settings = Parameters<typeof startReplica>[2];

/** Three mocks behind a load balancer, under load. */
async function openService() {
  const database = await openDatabase();
  const receiver = await openVersionReceiver();
  const balancer = await openBalancer();
  onTestFinished(balancer.close);
  const add = async (settings?: Settings): Promise<Replica> => {
    const replica = await startReplica(database.url, undefined, settings);
    await balancer.add(replica.baseUrl);
    return replica;
  };
  const replicas = [await add(), await add(), await add()];
  const baseUrl = `${balancer.url}/api/v1`;
  const login = { username: 'mei@harbour-cafe.example', password: 'demo-password-mei' };
  const { data } = await call(`${baseUrl}/auth/tenant/login`, { body: login });
  const token = data?.token ?? '';
  const subscription = { url: receiver.url, events: ['publish.complete'], channel: 'custom' };
  await call(`${baseUrl}/tenant/sites/101/webhooks`, { body: subscription, token });
  const load = callSteadily(baseUrl);
  return {
    database,
    balancer,
    /** Ends each mock, and puts another one in its place. */
    async replace(settings: Settings, look?: (index: number) => Promise<void>): Promise<void> {
      for (const [index, { process: child, baseUrl: old }] of replicas.entries()) {
        await sleep(1000);
        await look?.(index);
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        expect(await ended).toEqual([0, null]);
        balancer.remove(old);
        replicas[index] = await add(settings);
      }
      await sleep(500);
    },
    /** No call failed, the session is valid still, and each push has arrived once. */
    async expectWhole(): Promise<void> {
      const { failed, accepted, calls } = await load.end();
      expect(failed).toEqual([]);
      expect(calls).toBeGreaterThan(100);
      // Each of the six mocks took part.
      expect([...balancer.counts.values()].filter((count) => count > 5)).toHaveLength(6);
      expect((await call(`${baseUrl}/tenant/sites`, { token })).status).toBe(200);
      const pending = () => countPending(`${balancer.url}/_mock`);
      await expect.poll(pending, { timeout: 30_000, interval: 500 }).toBe(0);
      expect(accepted.filter((version) => !receiver.versions.has(version))).toEqual([]);
      // None was sent twice, as each mock waited for its own.
      expect([...receiver.versions.values()].filter((count) => count > 1)).toEqual([]);
    },
  };
}

test('a rolling restart fails no call, ends no session and loses no push', async () => {
  const service = await openService();
  await service.replace({});
  await service.expectWhole();
});

test('so does a rolling upgrade to a newer format, after which the older version is refused', async () => {
  const service = await openService();
  const db = new Client({ connectionString: service.database.url });
  await db.connect();
  onTestFinished(() => db.end());
  const count = async (condition: string): Promise<number> => {
    const { rows } = await db.query(`select count(*)::int as count from sitepub_entry where ${condition}`);
    return Number(rows[0]?.count);
  };
  const formats = async () => (await db.query('select format from sitepub_world')).rows;
  await service.replace({ isNewer: true }, async () => {
    expect(await formats()).toEqual([{ format: 1 }]);
    expect(await count("value like '%isNewer%'")).toBe(0);
  });
  await expect.poll(formats).toEqual([{ format: 2 }]);
  expect(await count("kind = 3 and value not like '%isNewer%'")).toBe(0);
  expect(await count("kind = 3 and value like '%isNewer%'")).toBeGreaterThan(10);
  await service.expectWhole();
  await expect(startReplica(service.database.url)).rejects.toThrow('the mock did not start');
});
