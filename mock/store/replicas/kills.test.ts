// @module-tag nightly
// Kills, stops or restarts mocks that share a world, or their database, during calls, pushes and clock moves.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openBalancer } from '../../testing/balancer.ts';
import { openDatabase, openVersionReceiver, type Replica, startReplica } from '../../testing/replicas.ts';
import { send, startTestMock } from '../../testing/started-mock.ts';
import { type Answer, ask, publish, subscribe } from './testing/ask.ts';

const runs = Number(process.env.KILL_RUNS ?? 1);

type KilledWorld = Awaited<ReturnType<typeof openKilledWorld>>;

/** Three mocks that share a world. `status`: what receivers answer. */
async function openKilledWorld(status: number) {
  const database = await openDatabase();
  const receiver = await openVersionReceiver(status);
  const start = () => Promise.all([1, 2, 3].map(() => startReplica(database.url)));
  const mocks = await start();
  const last = () => mocks.at(-1) as Replica;
  const { token } = last();
  await subscribe(last(), { token, url: receiver.url });

  /** Calls one mock after the other. Returns the answered versions. */
  async function publishWhile(goesOn: (count: number) => boolean, atOnce: number): Promise<number[]> {
    const accepted: number[] = [];
    let count = 0;
    const worker = async () => {
      while (goesOn(count)) {
        const mock = mocks[count++ % mocks.length] as Replica;
        // The mock may have been killed.
        const answer = await publish(mock, token).catch(() => sleep(50));
        if (answer?.body.data?.version !== undefined) accepted.push(answer.body.data.version);
        await sleep(10);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return accepted;
  }

  return {
    mocks,
    database,
    receiver,
    /** Replaces the killed mocks. */
    async startAgain(): Promise<void> {
      mocks.splice(0, 3, ...(await start()));
    },
    publishWhile,
    /** Never fails. */
    async advance(index: number, duration: string): Promise<void> {
      const { controlUrl } = mocks.at(index) as Replica;
      await ask(`${controlUrl}/clock`, { body: { advance: duration } }).catch(() => {});
    },
    pending: () => countPending(last().controlUrl),
    async attempts(): Promise<number[]> {
      const url = `${last().controlUrl}/world`;
      const { body } = await send<{ deliveries: Record<string, { attempts: object[] }> }>(url);
      return Object.values(body.deliveries).map(({ attempts }) => attempts.length);
    },
  };
}

async function countPending(controlUrl: string): Promise<number> {
  const { body } = await send<{ total?: number }>(`${controlUrl}/deliveries?state=pending&limit=1`);
  return body.total ?? Number.NaN;
}

const accidents: Readonly<Record<string, (world: KilledWorld) => Promise<void>>> = {
  'one of three mocks is killed': async ({ mocks }) => void mocks[0]?.process.kill('SIGKILL'),
  async 'all mocks are killed'({ mocks, startAgain }) {
    for (const { process: child } of mocks) child.kill('SIGKILL');
    await startAgain();
  },
  async 'the database is killed'({ database }) {
    await database.kill();
    await sleep(1000);
    await database.start();
  },
  async 'a mock is stopped for 20 s'({ mocks }) {
    const [first] = mocks;
    first?.process.kill('SIGSTOP');
    await sleep(20_000);
    first?.process.kill('SIGCONT');
  },
};

interface Situation {
  status: number;
  /** Returns the answered versions. */
  play(world: KilledWorld, accident: () => Promise<void>): Promise<number[]>;
  /** The final number of attempts of each delivery. */
  attempts: number;
}

const situations: Readonly<Record<string, Situation>> = {
  calls: {
    status: 200,
    async play({ publishWhile }, accident) {
      let isEnding = false;
      const published = publishWhile(() => !isEnding, 6);
      await sleep(1500);
      await accident();
      await sleep(1500);
      isEnding = true;
      return published;
    },
    attempts: 1,
  },
  pushes: {
    status: 200,
    async play({ publishWhile, receiver }, accident) {
      receiver.hold(100);
      const accepted = await publishWhile((count) => count < 300, 16);
      await expect.poll(() => receiver.versions.size, { timeout: 10_000 }).toBeGreaterThan(50);
      await accident();
      return accepted;
    },
    attempts: 1,
  },
  'a move of the clock': {
    status: 500,
    async play({ publishWhile, advance, receiver }, accident) {
      const accepted = await publishWhile((count) => count < 100, 16);
      await expect.poll(() => receiver.versions.size, { timeout: 10_000 }).toBe(100);
      receiver.hold(50);
      const moved = advance(0, 'PT36M');
      await sleep(300);
      await accident();
      await moved;
      // A caller repeats a move that was cut off.
      await advance(-1, 'PT36M');
      return accepted;
    },
    attempts: 4,
  },
};

const rows = Object.keys(situations).flatMap((situation) =>
  Object.keys(accidents).flatMap((accident) =>
    Array.from({ length: runs }, (_, run) => [accident, situation, run + 1] as const),
  ),
);

test.each(rows)('loses nothing if %s during %s (run %i)', async (accident, situation) => {
  const { status, play, attempts } = situations[situation] as Situation;
  const world = await openKilledWorld(status);
  const accepted = await play(world, async () => accidents[accident]?.(world));
  expect(accepted.length).toBeGreaterThan(20);
  expect(new Set(accepted).size).toBe(accepted.length);
  // The claims of a killed process end after 15 s.
  await expect.poll(world.pending, { timeout: 60_000, interval: 500 }).toBe(0);
  const { versions } = world.receiver;
  expect(accepted.filter((version) => !versions.has(version))).toEqual([]);
  const [first, last] = [Math.min(...versions.keys()), Math.max(...versions.keys())];
  expect(versions.size).toBe(last - first + 1);
  expect(new Set(await world.attempts())).toEqual(new Set([attempts]));
  // At most the 16 attempts in progress of each mock are repeated.
  const sent = [...versions.values()].reduce((sum, count) => sum + count, 0);
  expect(sent - versions.size * attempts).toBeGreaterThanOrEqual(0);
  expect(sent - versions.size * attempts).toBeLessThanOrEqual(48);
});

test('a busy mock stays registered', async () => {
  const { url: store } = await openDatabase();
  const [busy, idle] = [await startTestMock({ store }), await startTestMock({ store })];
  const until = performance.now() + 14_000;
  const keepBusy = async () => {
    while (performance.now() < until) await busy.control.clock();
  };
  await Promise.all([1, 2, 3, 4].map(keepBusy));
  expect((await idle.control.health()).store?.replicas).toBe(2);
});

const login = { username: 'mei@harbour-cafe.example', password: 'demo-password-mei' };

/** Publishes and reads with twelve sessions until the signal. */
async function callSteadily(baseUrl: string, signal: AbortSignal) {
  const failed: string[] = [];
  const accepted: number[] = [];
  let calls = 0;
  const note = ({ status, body }: Answer) => {
    calls++;
    if (status !== 200) failed.push(`${status} ${JSON.stringify(body)}`);
    return body.data;
  };
  const worker = async (): Promise<void> => {
    const { token = '' } = note(await ask(`${baseUrl}/auth/tenant/login`, { body: login })) ?? {};
    while (!signal.aborted) {
      const { version } = note(await publish({ baseUrl }, token)) ?? {};
      if (version !== undefined) accepted.push(version);
      note(await ask(`${baseUrl}/tenant/sites`, { token }));
      await sleep(5);
    }
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  return { failed, accepted, calls };
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
  const end = new AbortController();
  const load = callSteadily(baseUrl, end.signal);
  for (const { process: child, baseUrl: old } of replicas) {
    await sleep(1000);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    balancer.remove(old);
    await add();
  }
  await sleep(500);
  end.abort();
  const { failed, accepted, calls } = await load;
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
