// Compares requests to the mock with other servers, with a smaller world and with a world in memory.
import { Pool } from 'undici';
import { findPostgres, makeSchema, startPostgres } from '../../mock/testing/postgres-server.ts';
import type { OperationId } from '../../openapi/operations.ts';
import { accessTo, type Call, makeCall, send, subscription } from './calls.ts';
import { type Figure, measureRounds, type Pairs, type Row, ratioOf } from './row.ts';
import { cpuOf, type Server, startServer } from './server.ts';
import type { BenchMock } from './servers/mock-server.ts';
import { startPrism } from './servers/prism.ts';

const tenants = 1000;

const startMock = (mock: BenchMock) => startServer('mock', mock);

function callsOfAll(make: (access: ReturnType<typeof accessTo>) => Call): Call[] {
  return Array.from({ length: tenants }, (_, index) => make(accessTo(index + 1)));
}

const logins = callsOfAll(({ username, password }) => makeCall('login', { username, password }));
const creations = callsOfAll(({ siteID, apiKey }) =>
  makeCall('createSubscription', { siteID, ...subscription }, apiKey),
);

export const login: Row = (isQuick) => compareWithOthers(logins, { isQuick, most: 1.11 });
export const createWebhook: Row = (isQuick) => compareWithOthers(creations, { isQuick, most: 1.18 });

async function compareWithOthers(
  calls: readonly Call[],
  { isQuick, most }: { isQuick: boolean; most: number },
): Promise<Figure[]> {
  const others = [
    { name: 'bare Fastify', start: () => startServer('fastify'), most },
    { name: 'Prism', start: startPrism, most: 0.111 },
  ];
  const figures: Figure[] = [];
  for (const { start, ...other } of others) {
    const servers = [await startMock({ tenants }), await start()] as const;
    figures.push(ratioOf(await compare(servers, calls, isQuick), other));
  }
  return figures;
}

/** A world in PostgreSQL, compared with one in memory. */
export const sharedStore: Row = async (isQuick) => {
  if (findPostgres() === undefined)
    throw new Error(
      'shared-store needs PostgreSQL: apt-get install postgresql, or choose others with --only',
    );
  const database = await startPostgres();
  try {
    const store = await makeSchema(database);
    const servers = [await startMock({ tenants, store }), await startMock({ tenants })] as const;
    return [ratioOf(await compare(servers, creations, isQuick), { name: 'in memory', most: 1.25 })];
  } finally {
    await database.stop();
  }
};

const sizes = { small: 10, large: 5000 };
const text = { title: 'Welcome', text: 'Good to see you.', form: 'contact', fields: { name: 'Noor' } };
const growing: readonly OperationId[] = [
  ...(['login', 'listSites', 'getSite', 'listContents', 'listSubscriptions', 'listSubmissions'] as const),
  ...(['createContent', 'createSubscription', 'submitForm', 'publishSite'] as const),
];

/** One tenant among few others and among many; shows the operation that grows most. */
export const growth: Row = async (isQuick) => {
  const figures: Figure[] = [];
  const { apiKey, ...access } = accessTo(1);
  for (const id of growing) {
    const start = (count: number) => startMock({ tenants: count, isUnlimited: true });
    const servers = [await start(sizes.large), await start(sizes.small)] as const;
    const calls = Array.from({ length: 200 }, (_, note) =>
      makeCall(id, { ...access, ...text, ...subscription, note: String(note) }, apiKey),
    );
    const pairs = await compare(servers, calls, isQuick, 1000);
    const figure = ratioOf(pairs, { name: `among ${sizes.small}`, most: 1.2 });
    figures.push({ ...figure, mock: `${id} among ${sizes.large}: ${figure.mock}` });
  }
  return figures.toSorted((one, other) => other.value - one.value).slice(0, 1);
};

/** CPU time per call, alternating between both servers; stops them at the end. */
async function compare(
  servers: readonly [Server, Server],
  calls: readonly Call[],
  isQuick: boolean,
  amount = 4000,
): Promise<Pairs> {
  await using one = servers[0];
  await using other = servers[1];
  const measure = async (server: Server) => {
    await server.ask('refresh');
    return cpuOf(server, amount, () => sendAll(server, calls, amount));
  };
  return await measureRounds(
    isQuick ? 2 : 15,
    async () => [await measure(one), await measure(other)] as const,
  );
}

/** Uses 32 connections, and repeats the calls until `amount` is reached. */
async function sendAll({ origin }: Server, calls: readonly Call[], amount: number): Promise<void> {
  const pool = new Pool(origin, { connections: 32 });
  const rest = Array.from({ length: amount }, (_, index) => calls[index % calls.length]).values();
  const work = async () => {
    for (const call of rest) if (call) await send(pool, call);
  };
  await Promise.all(Array.from({ length: 32 }, work));
  await pool.close();
}
