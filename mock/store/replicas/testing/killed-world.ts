// A world that three mocks share, to which something is about to happen.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../../../testing/postgres-server.ts';
import {
  countPending,
  openDatabase,
  openVersionReceiver,
  type Replica,
  startReplica,
  type VersionReceiver,
} from '../../../testing/replicas.ts';
import { ask, publish, subscribe } from './ask.ts';

const token = 'sp_JMkq2hCqpCu02ytOHhp3ro8YOKEyauBT';

export interface KilledWorld {
  mocks: Replica[];
  database: PostgresServer;
  receiver: VersionReceiver;
  /** Three others, in place of those that were killed. */
  startAgain(): Promise<void>;
  /** Publishes so often, by all mocks. Returns the versions that were answered. */
  publish(count: number): Promise<number[]>;
  /** Publishes by all mocks until it is told to end, which returns the versions that were answered. */
  publishSteadily(): { end(): Promise<number[]> };
  /** By the mock of this index. Never fails. */
  advance(index: number, duration: string): Promise<void>;
  /** Of pushes, as the last mock has it. */
  pending(): Promise<number>;
  deliveries(): Promise<{ id: number; attempts: number }[]>;
}

/** `status`: what receivers answer. */
export async function openKilledWorld(status: number): Promise<KilledWorld> {
  const database = await openDatabase();
  const receiver = await openVersionReceiver(status);
  const start = () => Promise.all([1, 2, 3].map(() => startReplica(database.url)));
  const mocks = await start();
  const last = () => mocks.at(-1) as Replica;
  await subscribe(last(), { token, url: receiver.url });

  /** By one mock after the other. */
  async function publishOnce(accepted: number[], count: number): Promise<void> {
    const mock = mocks[count % mocks.length] as Replica;
    try {
      const { code, data } = (await publish(mock, token)).body;
      if (code === 0 && data?.version !== undefined) accepted.push(data.version);
    } catch {
      // It has been killed.
      await sleep(50);
    }
  }

  return {
    mocks,
    database,
    receiver,
    async startAgain() {
      mocks.splice(0, 3, ...(await start()));
    },
    async publish(count) {
      const accepted: number[] = [];
      const each = Array.from({ length: count }, (_, index) => index);
      const worker = async () => {
        for (let index = each.shift(); index !== undefined; index = each.shift())
          await publishOnce(accepted, index);
      };
      await Promise.all(Array.from({ length: 16 }, worker));
      return accepted;
    },
    publishSteadily() {
      const accepted: number[] = [];
      let isEnding = false;
      const worker = async (start: number) => {
        for (let count = start; !isEnding; count++) {
          await publishOnce(accepted, count);
          await sleep(10);
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
    },
    async advance(index, duration) {
      const { controlUrl } = mocks.at(index) as Replica;
      await ask(`${controlUrl}/clock`, { body: { advance: duration } }).catch(() => {});
    },
    pending: () => countPending(last().controlUrl),
    async deliveries() {
      const found: { id: number; attempts: unknown[] }[] = [];
      let next: number | undefined = 0;
      while (next !== undefined) {
        const cursor = next > 0 ? `&cursor=${next}` : '';
        const answer = await fetch(`${last().controlUrl}/deliveries?limit=100${cursor}`);
        const page = (await answer.json()) as { deliveries: typeof found; next?: number };
        found.push(...page.deliveries);
        next = page.next;
      }
      return found.map(({ id, attempts }) => ({ id, attempts: attempts.length }));
    },
  };
}
