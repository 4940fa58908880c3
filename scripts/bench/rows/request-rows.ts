// Requests to the mock, beside the same requests to a server that does less, has less, or keeps its world elsewhere.

import { findPostgres, makeSchema, startPostgres } from '../../../mock/testing/postgres-server.ts';
import type { OperationId } from '../../../openapi/operations.ts';
import { accessTo, type Call, makeCall, openPool, send, subscription } from '../calls.ts';
import { type Child, startChild } from '../child.ts';
import { type Figure, measureRounds, type Pairs, type Row, ratioOf, type Scale } from '../row.ts';
import { startPrism } from '../servers/prism.ts';

const tenants = 1000;

/** One call of each tenant. */
function callsOfAll(make: (access: ReturnType<typeof accessTo>) => Call): Call[] {
  return Array.from({ length: tenants }, (_, index) => make(accessTo(index + 1)));
}

const logins = callsOfAll(({ username, password }) => makeCall('login', { username, password }));
const creations = callsOfAll(({ siteID, apiKey }) =>
  makeCall('createSubscription', { siteID, ...subscription }, apiKey),
);

export const login: Row = { id: 'login', measure: (scale) => besideOthers(scale, logins, 1.11) };
export const createWebhook: Row = {
  id: 'create-webhook',
  measure: (scale) => besideOthers(scale, creations, 1.18),
};

async function besideOthers(scale: Scale, calls: readonly Call[], most: number): Promise<Figure[]> {
  const others = [
    { name: 'bare Fastify', start: () => startChild('fastify'), most },
    { name: 'Prism', start: startPrism, most: 0.111 },
  ];
  const figures: Figure[] = [];
  for (const { start, ...other } of others) {
    const servers = [await startChild('mock', { tenants }), await start()] as const;
    figures.push(ratioOf(await compare(servers, calls, scale), other));
  }
  return figures;
}

/** Subscriptions in a world that is kept in PostgreSQL. */
export const sharedStore: Row = {
  id: 'shared-store',
  async measure(scale) {
    if (findPostgres() === undefined)
      throw new Error(
        'shared-store needs PostgreSQL: apt-get install postgresql, or choose others with --only',
      );
    const database = await startPostgres();
    try {
      const store = await makeSchema(database);
      const servers = [
        await startChild('mock', { tenants, store }),
        await startChild('mock', { tenants }),
      ] as const;
      return [ratioOf(await compare(servers, creations, scale), { name: 'in memory', most: 1.25 })];
    } finally {
      await database.stop();
    }
  },
};

const sizes = { small: 10, large: 5000 };
const text = { title: 'Welcome', text: 'Good to see you.', form: 'contact', fields: { name: 'Noor' } };
const growing: readonly OperationId[] = [
  ...(['login', 'listSites', 'getSite', 'listContents', 'listSubscriptions', 'listSubmissions'] as const),
  ...(['createContent', 'createSubscription', 'submitForm', 'publishSite'] as const),
];

/** Calls of one tenant among few others and among many; the figure is that of the operation that grows most. */
export const growth: Row = {
  id: 'growth',
  async measure(scale) {
    const figures: Figure[] = [];
    const { apiKey, ...access } = accessTo(1);
    for (const id of growing) {
      const start = (count: number) => startChild('mock', { tenants: count, isUnlimited: true });
      const servers = [await start(sizes.large), await start(sizes.small)] as const;
      const make = (_: unknown, note: number) =>
        makeCall(id, { ...access, ...text, ...subscription, note: String(note) }, apiKey);
      const pairs = await compare(servers, Array.from({ length: 200 }, make), scale, 1000);
      const { mock, ...figure } = ratioOf(pairs, { name: `among ${sizes.small}`, most: 1.2 });
      figures.push({ ...figure, mock: `${id} among ${sizes.large}: ${mock}` });
    }
    return figures.toSorted((one, other) => other.value - one.value).slice(0, 1);
  },
};

/** The CPU time that two servers take for a call, round after round, in microseconds; stops them at the end. */
async function compare(
  servers: readonly [Child, Child],
  calls: readonly Call[],
  { isQuick }: Scale,
  amount = 4000,
): Promise<Pairs> {
  try {
    const measure = async (server: Child) => {
      await server.ask('refresh');
      const before = await server.cpuMs();
      await sendAll(server, calls, amount);
      return (((await server.cpuMs()) - before) * 1000) / amount;
    };
    const [one, other] = servers;
    return await measureRounds(
      isQuick ? 2 : 15,
      async () => [await measure(one), await measure(other)] as const,
    );
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** Sends the calls by 32 connections, again from the first where there are fewer. */
async function sendAll({ origin }: Child, calls: readonly Call[], amount: number): Promise<void> {
  const pool = openPool(origin);
  const rest = Array.from({ length: amount }, (_, index) => calls[index % calls.length]).values();
  const work = async () => {
    for (const call of rest) if (call) await send(pool, call);
  };
  await Promise.all(Array.from({ length: 32 }, work));
  await pool.close();
}
