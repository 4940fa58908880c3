// What it costs to keep the world in PostgreSQL, by one mock and by two, compared with the world in memory.
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres, makeSchema, startPostgres } from '../../../mock/testing/postgres-server.ts';
import { accessTo } from '../bench-world.ts';
import { type Call, createCallMaker } from '../calls.ts';
import { type Child, startChild } from '../child.ts';
import { measureRounds } from '../rounds.ts';
import type { Budget, Figure, Outcome, Row, Scale } from '../row.ts';
import type { KeptMock } from '../servers/kept-mock-server.ts';
import type { Received } from '../servers/receiver-server.ts';
import { addWorlds, type Deployment, type SharedSample, takeSharedSample } from '../shared-mocks.ts';
import { compareSingleCalls } from '../single-calls.ts';
import { median } from '../statistics.ts';
import { createWebhookCalls } from './request-rows.ts';

const tenants = 1000;
const worlds = 50;
/** As many as such a world has. */
const tenantsOfNamed = 20;
const arrivedMs = 30_000;
/** The tenants' receivers: a mock has 16 pushes at most under way to one of them, and with a database begins others in its next turn. */
const receiverCount = 4;
/** So many calls each mock answers before it is measured, in rounds: it gets faster for as long as its code is compiled, and of two each answers half. */
const warmUpRounds = 7;

export const sharedStore: Row = { id: 'shared-store', measure };

async function measure({ isQuick }: Scale): Promise<Outcome> {
  if (findPostgres() === undefined)
    throw new Error(
      'shared-store needs PostgreSQL: apt-get install postgresql, or name other rows with --only',
    );
  const [rounds, amount] = isQuick ? [3, 800] : [15, 3000];
  const database = await startPostgres();
  const children: Child<unknown>[] = [];
  const start = async (store: string | undefined) => {
    const child = await startChild<Deployment['mocks'][0]['about']>('kept-mock', {
      store,
      tenants,
    } as KeptMock);
    children.push(child);
    return child;
  };
  try {
    const memory = { mocks: [await start(undefined)] } as const;
    const one = { mocks: [await start(await makeSchema(database))], database } as const;
    const schema = await makeSchema(database);
    const two: Deployment = { mocks: [await start(schema), await start(schema)], database };
    const subscribe = createWebhookCalls(tenants);
    for (const deployment of [memory, one, two])
      await takeSharedSample(deployment, {
        calls: subscribe,
        amount: warmUpRounds * amount * deployment.mocks.length,
      });
    const compare = (deployment: Deployment) =>
      measureRounds(rounds, async () => ({
        shared: await takeSharedSample(deployment, { calls: subscribe, amount }),
        memory: await takeSharedSample(memory, { calls: subscribe, amount }),
      }));
    const single = await compare(one);
    const double = await compare(two);
    const alone = await compareSingleCalls([one.mocks[0], memory.mocks[0]], subscribe, rounds);
    const many = await compareWorlds(two, { rounds, amount, calls: subscribe });
    // Others, in which nothing but the receiver has subscribed.
    const apart: Deployment = { mocks: [await start(await makeSchema(database))], database };
    const pushes = await comparePushes([apart, { mocks: [await start(undefined)] }], {
      rounds,
      amount: amount / 3,
      children,
    });
    return {
      figures: [
        ratio('one mock', single, 'cpu', { kind: 'at most', value: 1.25 }),
        ratio('the database', single, 'engine', { kind: 'at most', value: 0.5 }),
        ratio('one mock', single, 'speed', { kind: 'at least', value: 0.45 }),
        ratio('publish and push', pushes, 'speed', { kind: 'at least', value: 0.45 }),
        ratio('two mocks', double, 'cpu', { kind: 'at most', value: 1.75 }),
        alone.figure,
        manyFigure(many),
      ],
      rounds: [...single, ...double, ...alone.rounds, ...many, ...pushes],
    };
  } finally {
    for (const child of children) await child.stop();
    await database.stop();
  }
}

interface Pair {
  shared: SharedSample;
  memory: SharedSample;
}

const shown = {
  cpu: { unit: 'times the CPU', of: ({ shared, memory }: Pair) => shared.cpuPerCall / memory.cpuPerCall },
  engine: {
    unit: "times the mock's CPU in memory",
    of: ({ shared, memory }: Pair) => shared.enginePerCall / memory.cpuPerCall,
  },
  speed: {
    unit: 'times as many a second',
    of: ({ shared, memory }: Pair) => shared.callsPerSecond / memory.callsPerSecond,
  },
};

function ratio(what: string, pairs: readonly Pair[], kind: keyof typeof shown, budget: Budget): Figure {
  const { unit, of } = shown[kind];
  return {
    measured: `${what}: ${describe(pairs.map(({ shared }) => shared))}`,
    against: `in memory: ${describe(pairs.map(({ memory }) => memory))}`,
    value: median(pairs.map(of)),
    unit,
    budget,
  };
}

function describe(samples: readonly SharedSample[]): string {
  const [cpu, engine, speed] = (['cpuPerCall', 'enginePerCall', 'callsPerSecond'] as const).map((name) =>
    Math.round(median(samples.map((sample) => sample[name]))).toLocaleString('en'),
  );
  return `${cpu}${engine === '0' ? '' : ` + ${engine}`} µs CPU, ${speed}/s`;
}

/** The same calls to many worlds and to one, by two mocks. */
async function compareWorlds(
  two: Deployment,
  { rounds, amount, calls }: { rounds: number; amount: number; calls: readonly Call[] },
) {
  const names = await addWorlds(two, worlds);
  const few = calls.slice(0, tenantsOfNamed);
  const toMany = calls.map((_, index) => {
    const call = few[Math.floor(index / worlds) % few.length];
    return { ...call, path: `/w/${names[index % worlds]}${call?.path}` } as Call;
  });
  await takeSharedSample(two, { calls: toMany, amount: warmUpRounds * amount });
  return measureRounds(rounds, async () => ({
    many: await takeSharedSample(two, { calls: toMany, amount }),
    one: await takeSharedSample(two, { calls, amount }),
  }));
}

function manyFigure(pairs: Awaited<ReturnType<typeof compareWorlds>>): Figure {
  return {
    measured: `${worlds} worlds, two mocks: ${describe(pairs.map(({ many }) => many))}`,
    against: `one world, two mocks: ${describe(pairs.map(({ one }) => one))}`,
    value: median(pairs.map(({ many, one }) => many.callsPerSecond / one.callsPerSecond)),
    unit: 'times as many a second',
    budget: { kind: 'at least', value: 0.7 },
  };
}

/** Publishes of sites, and the arrival of their pushes. */
async function comparePushes(
  [shared, memory]: readonly [Deployment, Deployment],
  { rounds, amount, children }: { rounds: number; amount: number; children: Child<unknown>[] },
): Promise<Pair[]> {
  const receivers: Child<{ origin: string }>[] = [];
  for (let index = 0; index < receiverCount; index++)
    receivers.push(await startChild<{ origin: string }>('receiver', 200));
  children.push(...receivers);
  const make = createCallMaker();
  const accesses = Array.from({ length: tenants }, (_, index) => accessTo(index + 1));
  const subscribe = accesses.map(({ siteId, apiKey }, index) =>
    make(
      'createSubscription',
      {
        siteID: siteId,
        url: `${receivers[index % receiverCount]?.about.origin}/`,
        events: ['publish.complete'],
        channel: 'custom',
        secret: 'a signing secret',
      },
      apiKey,
    ),
  );
  for (const deployment of [shared, memory])
    await takeSharedSample(deployment, { calls: subscribe, amount: tenants });
  let count = 0;
  const take = (deployment: Deployment) => {
    const calls = accesses.map(({ siteId, apiKey }) =>
      make('publishSite', { siteID: siteId, note: `note ${++count}` }, apiKey),
    );
    return takeSharedSample(deployment, { calls, amount }, () => arrived(receivers, amount));
  };
  return measureRounds(rounds, async () => ({ shared: await take(shared), memory: await take(memory) }));
}

async function arrived(receivers: readonly Child<unknown>[], amount: number): Promise<void> {
  const until = performance.now() + arrivedMs;
  for (let count = 0; count < amount; await sleep(5)) {
    const answers = await Promise.all(receivers.map((one) => one.ask('received') as Promise<Received>));
    count += answers.reduce((sum, received) => sum + received.count, 0);
    if (performance.now() > until)
      throw new Error(`${count} of ${amount} pushes arrived within ${arrivedMs / 1000} s`);
  }
}
