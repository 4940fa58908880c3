// @module-tag nightly
// Three mocks behind a load balancer are ended and started anew one after the other, and no caller notices.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** Three mocks behind a load balancer, under load. */
async function openService() {
  const database = await openDatabase();
  const receiver = await openVersionReceiver();
  const balancer = await openBalancer();
  onTestFinished(balancer.close);
  const add = async (): Promise<Replica> => {
    const replica = await startReplica(database.url);
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
    /** Ends each mock, and puts another one in its place. */
    async replace(): Promise<void> {
      for (const [index, { process: child, baseUrl: old }] of replicas.entries()) {
        await sleep(1000);
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        expect(await ended).toEqual([0, null]);
        balancer.remove(old);
        replicas[index] = await add();
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
  await service.replace();
  await service.expectWhole();
});
