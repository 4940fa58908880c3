// Several mocks on one world, as processes of their own, one of which or all of which are killed, and so is their database.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { PostgresServer } from '../testing/postgres-server.ts';
import {
  countPending,
  inPostgres,
  openDatabase,
  openVersionReceiver,
  type Replica,
  startReplica,
} from '../testing/replicas.ts';

const key = 'sp_JMkq2hCqpCu02ytOHhp3ro8YOKEyauBT';

async function post(url: string, body: object): Promise<{ status: number; data: { version?: number } }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  return { status: answer.status, data: ((await answer.json()) as { data: { version?: number } }).data };
}

/** Publishes by all replicas at once until it is told to end, and returns the versions that were answered. */
function publishSteadily(replicas: readonly Replica[]) {
  const accepted: number[] = [];
  let isEnding = false;
  const worker = async (start: number): Promise<void> => {
    for (let count = start; !isEnding; count++) {
      const replica = replicas[count % replicas.length];
      try {
        const { status, data } = await post(`${replica?.baseUrl}/tenant/sites/101/publish`, {
          note: `${start}-${count}`,
        });
        if (status === 200 && data.version !== undefined) accepted.push(data.version);
        await sleep(10);
      } catch {
        // It has been killed.
        await sleep(50);
      }
    }
  };
  const workers = Promise.all([0, 1, 2, 3, 4, 5].map(worker));
  return {
    async end() {
      isEnding = true;
      await workers;
      return accepted;
    },
  };
}

type Accident = (parts: { replicas: Replica[]; database: PostgresServer; url: string }) => Promise<void>;

inPostgres.each<[string, Accident]>([
  [
    'one of three replicas is killed',
    async ({ replicas }) => {
      replicas[1]?.process.kill('SIGKILL');
    },
  ],
  [
    'all replicas are killed',
    async ({ replicas, url }) => {
      for (const { process: child } of replicas) child.kill('SIGKILL');
      replicas.splice(0, 3, ...(await Promise.all([1, 2, 3].map(() => startReplica(url)))));
    },
  ],
  [
    'the database is killed',
    async ({ database }) => {
      await database.kill();
      await sleep(1000);
      await database.start();
    },
  ],
  [
    'a replica stands still for 20 s',
    async ({ replicas }) => {
      const [first] = replicas;
      first?.process.kill('SIGSTOP');
      await sleep(20_000);
      first?.process.kill('SIGCONT');
    },
  ],
])('nothing that was answered is lost when %s', async (_what, accident) => {
  const database = await openDatabase();
  const receiver = await openVersionReceiver();
  const replicas = await Promise.all([1, 2, 3].map(() => startReplica(database.url)));
  const subscription = { url: receiver.url, events: ['publish.complete'], channel: 'custom' };
  await post(`${replicas[0]?.baseUrl}/tenant/sites/101/webhooks`, subscription);
  const load = publishSteadily(replicas);
  await sleep(1500);
  await accident({ replicas, database, url: database.url });
  await sleep(1500);
  const accepted = await load.end();
  expect(accepted.length).toBeGreaterThan(50);
  expect(new Set(accepted).size).toBe(accepted.length);
  const [survivor = replicas[2]] = replicas.filter(({ process: { signalCode } }) => signalCode === null);
  // A claim of a process that has ended runs out after 15 s.
  await expect
    .poll(() => survivor && countPending(survivor.controlUrl), { timeout: 60_000, interval: 500 })
    .toBe(0);
  const lost = accepted.filter((version) => !receiver.versions.has(version));
  expect(lost).toEqual([]);
  const last = Math.max(...receiver.versions.keys());
  const gaps = Array.from({ length: last - 7 }, (_, index) => index + 8).filter(
    (version) => !receiver.versions.has(version),
  );
  expect(gaps).toEqual([]);
  // Those that were under way.
  const repeated = [...receiver.versions.values()].reduce((sum, count) => sum + count - 1, 0);
  expect(repeated).toBeLessThanOrEqual(48);
});
