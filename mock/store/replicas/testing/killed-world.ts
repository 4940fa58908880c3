// A world that three mocks share, to which something is about to happen.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  countPending,
  openDatabase,
  openVersionReceiver,
  type Replica,
  startReplica,
} from '../../../testing/replicas.ts';
import { send } from '../../../testing/started-mock.ts';
import { ask, publish, subscribe } from './ask.ts';

const token = 'sp_JMkq2hCqpCu02ytOHhp3ro8YOKEyauBT';

export type KilledWorld = Awaited<ReturnType<typeof openKilledWorld>>;

/** `status`: what receivers answer. */
export async function openKilledWorld(status: number) {
  const database = await openDatabase();
  const receiver = await openVersionReceiver(status);
  const start = () => Promise.all([1, 2, 3].map(() => startReplica(database.url)));
  const mocks = await start();
  const last = () => mocks.at(-1) as Replica;
  await subscribe(last(), { token, url: receiver.url });

  /** By one mock after the other, with so many calls at the same time. Returns the versions that were answered. */
  async function publishWhile(goesOn: (count: number) => boolean, atOnce: number): Promise<number[]> {
    const accepted: number[] = [];
    let count = 0;
    const worker = async () => {
      while (goesOn(count)) {
        const mock = mocks[count++ % mocks.length] as Replica;
        // It may have been killed.
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
    /** Three others, in place of those that were killed. */
    async startAgain(): Promise<void> {
      mocks.splice(0, 3, ...(await start()));
    },
    publish: (count: number) => publishWhile((done) => done < count, 16),
    /** Publishes until it is told to end. */
    publishSteadily() {
      let isEnding = false;
      const published = publishWhile(() => !isEnding, 6);
      return {
        end(): Promise<number[]> {
          isEnding = true;
          return published;
        },
      };
    },
    /** By the mock of this index. Never fails. */
    async advance(index: number, duration: string): Promise<void> {
      const { controlUrl } = mocks.at(index) as Replica;
      await ask(`${controlUrl}/clock`, { body: { advance: duration } }).catch(() => {});
    },
    /** How many pushes are, as the last mock has it. */
    pending: () => countPending(last().controlUrl),
    /** How often each push was attempted. */
    async attempts(): Promise<number[]> {
      const attempts: number[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await send<{ deliveries: { attempts: object[] }[]; next?: number }>(
          `${last().controlUrl}/deliveries?limit=100${cursor}`,
        );
        attempts.push(...body.deliveries.map((delivery) => delivery.attempts.length));
        if (body.next === undefined) return attempts;
        cursor = `&cursor=${body.next}`;
      }
    },
  };
}
