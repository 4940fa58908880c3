// @module-tag nightly
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
import { type Answer, ask, publish, subscribe } from './testing/ask.ts';

const login = { username: 'mei@harbour-cafe.example', password: 'demo-password-mei' };

/** Publishes and reads with twelve sessions until `end` is called. */
function callSteadily(baseUrl: string) {
  const failed: string[] = [];
  const accepted: number[] = [];
  let calls = 0;
  let isEnding = false;
  const note = ({ status, body }: Answer) => {
    calls++;
    if (status !== 200) failed.push(`${status} ${JSON.stringify(body)}`);
    return body.data;
  };
  const worker = async (): Promise<void> => {
    const { token = '' } = note(await ask(`${baseUrl}/auth/tenant/login`, { body: login })) ?? {};
    while (!isEnding) {
      const { version } = note(await publish({ baseUrl }, token)) ?? {};
      if (version !== undefined) accepted.push(version);
      note(await ask(`${baseUrl}/tenant/sites`, { token }));
      await sleep(5);
    }
  };
  const workers = Promise.all(Array.from({ length: 12 }, worker));
  workers.catch(() => {});
  return {
    async end() {
      isEnding = true;
      await workers;
      return { failed, accepted, calls };
    },
  };
}

test('a rolling restart fails no call, ends no session and loses no push', async () => {
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
  const { body } = await ask(`${baseUrl}/auth/tenant/login`, { body: login });
  const token = body.data?.token ?? '';
  await subscribe({ baseUrl }, { token, url: receiver.url });
  const load = callSteadily(baseUrl);
  for (const { process: child, baseUrl: old } of replicas) {
    await sleep(1000);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    balancer.remove(old);
    await add();
  }
  await sleep(500);
  const { failed, accepted, calls } = await load.end();
  expect(failed).toEqual([]);
  expect(calls).toBeGreaterThan(100);
  // Each of the six mocks answered calls.
  expect([...balancer.counts.values()].filter((count) => count > 5)).toHaveLength(6);
  expect((await ask(`${baseUrl}/tenant/sites`, { token })).status).toBe(200);
  const pending = () => countPending(`${balancer.url}/_mock`);
  await expect.poll(pending, { timeout: 30_000, interval: 500 }).toBe(0);
  expect(accepted.filter((version) => !receiver.versions.has(version))).toEqual([]);
  // No push was sent twice, since each mock waited for its own.
  expect([...receiver.versions.values()].filter((count) => count > 1)).toEqual([]);
});
