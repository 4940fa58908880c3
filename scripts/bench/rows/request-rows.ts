// One operation, compared with servers that do less, or do it in another way.
import { accessTo } from '../bench-world.ts';
import { type Call, createCallMaker } from '../calls.ts';
import { type Child, type ServerName, startChild } from '../child.ts';
import { comparePairs, describeSamples, type LoadedServer, type Sample, takeSample } from '../pair.ts';
import { measureRounds } from '../rounds.ts';
import type { Budget, Figure, Outcome, Row, Scale } from '../row.ts';

const tenants = 1000;

interface Peer {
  name: ServerName;
  title: string;
  /** Share of the mock's requests that the peer is sent, since a slow one would take too long. */
  share: number;
  budget?: Budget;
}

const peers: readonly Peer[] = [
  { name: 'fastify', title: 'bare Fastify', share: 1, budget: { kind: 'at least', value: 0.8 } },
  { name: 'prism', title: 'Prism silent', share: 0.1, budget: { kind: 'at least', value: 9 } },
];

export const login: Row = {
  id: 'login',
  measure: (scale) => measure(scale, (make) => (access) => make('login', { ...access })),
};

export const createWebhook: Row = {
  id: 'create-webhook',
  measure: (scale) => measure(scale, webhookCaller),
};

/** One of each tenant. */
export function createWebhookCalls(count: number): Call[] {
  return callsOf(webhookCaller, count);
}

const subscription = {
  url: 'https://hooks.example/sitepub',
  events: ['publish.complete', 'publish.failed'],
  channel: 'custom',
  secret: 'a signing secret',
};

type Caller = (make: ReturnType<typeof createCallMaker>) => (access: ReturnType<typeof accessTo>) => Call;

const webhookCaller: Caller =
  (make) =>
  ({ siteId, apiKey }) =>
    make('createSubscription', { siteID: siteId, ...subscription }, apiKey);

function callsOf(caller: Caller, count: number): Call[] {
  const call = caller(createCallMaker());
  return Array.from({ length: count }, (_, index) => call(accessTo(index + 1)));
}

async function measure({ isQuick }: Scale, caller: Caller): Promise<Outcome> {
  const [rounds, amount] = isQuick ? [3, 1000] : [25, 4000];
  const calls = callsOf(caller, tenants);
  const mock: LoadedServer = { server: await startChild('mock', tenants), amount };
  const children: Child<{ origin: string }>[] = [mock.server];
  try {
    const measured: { figure: Figure; rounds: unknown[] }[] = [];
    for (const peer of peers) {
      const server = await startChild<{ origin: string }>(peer.name);
      children.push(server);
      const loaded: LoadedServer = { server, amount: amount * peer.share };
      const pairs = await measureRounds(
        rounds,
        async () => [await takeSample(mock, calls), await takeSample(loaded, calls)] as const,
      );
      measured.push({
        figure: figureOf(peer, pairs),
        rounds: pairs.map((pair) => ({ peer: peer.name, pair })),
      });
    }
    return {
      figures: measured.map(({ figure }) => figure),
      rounds: measured.flatMap((one) => one.rounds),
    };
  } finally {
    for (const child of children) await child.stop();
  }
}

function figureOf({ title, budget }: Peer, pairs: readonly (readonly [Sample, Sample])[]): Figure {
  const { byCpu, bySpeed } = comparePairs(pairs);
  return {
    measured: describeSamples(pairs.map(([mock]) => mock)),
    against: `${title}: ${describeSamples(pairs.map(([, peer]) => peer))} (${bySpeed.toFixed(2)} of its requests a second)`,
    value: byCpu,
    unit: 'times',
    ...(budget && { budget }),
  };
}
