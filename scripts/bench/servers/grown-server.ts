// The mock in a world with many foreign entries, without a socket. Its argument says how many.
import type { IncomingHttpHeaders } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMock } from '../../../mock/server/create-mock.ts';
import { estimateBytes } from '../../../mock/world/kept-bytes.ts';
import { fromSnapshot } from '../../../mock/world/snapshot.ts';
import type { OperationId } from '../../../openapi/operations.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { accessTo } from '../bench-world.ts';
import { type Call, createCallMaker } from '../calls.ts';
import { type Growth, growWorld, ownNumber } from '../grown-world.ts';
import { readArgument, serve } from '../serve.ts';
import { measureTime } from '../timed.ts';

/** Calls of an operation of the service. */
export interface GrownCalls {
  operation: OperationId;
  amount: number;
  /** What makes the entry that each of the calls takes away, and what its id is called then. */
  takes?: { from: OperationId; as: string };
}

/** Reads of the control API. */
export interface GrownViews {
  path: string;
  amount: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const growth = readArgument() as Growth;
const snapshot = growWorld(growth);
const { counters } = snapshot;
const profile = loadProfile('default');
const { app, service } = createMock({
  profile: {
    ...profile,
    // A login looks for older sessions, and pushes stay pending, since nobody would take them.
    values: { ...profile.values, 'session.concurrent': 'ended-by-login', 'webhook.latency': 3600 },
  },
  seed: 1,
  clock: 'real',
  log: (entry) => console.error(entry),
  settings: { isUnlimited: true },
});
await app.ready();
const make = createCallMaker();
const { siteId: siteID, apiKey, ...credentials } = accessTo(ownNumber);
const own = {
  ...credentials,
  siteID,
  contentID: counters.content,
  subscriptionID: counters.subscription,
  id: counters.subscription,
  version: 1,
};
const texts = {
  title: 'Welcome',
  text: 'Good to see you.',
  author: 'Ana',
  prompt: 'A menu',
  form: 'contact',
};
const others = { fields: { name: 'Noor' }, source: 'https://old.example', url: 'https://hooks.example/new' };
const hook = { events: ['publish.failed'], channel: 'custom' };
let count = 0;

/** No two are the same, since the second would be a repetition. */
function callOf(operation: OperationId, values: object, token: string): Call {
  const name = `Number ${++count}`;
  return make(operation, { ...own, ...texts, ...others, ...hook, name, note: name, ...values }, token);
}

async function send({ method, path, headers, body }: Call): Promise<Record<string, unknown>> {
  const text = await inject({ method, path, headers, ...(body !== undefined && { body }) });
  const { code, data } = JSON.parse(text) as { code: number; data: Record<string, unknown> };
  if (code !== 0) throw new Error(`${method} ${path} is answered with ${text}, so nothing was measured`);
  return data;
}

async function inject({ method, path, headers, body }: Call): Promise<string> {
  // biome-ignore lint/nursery/useAwaitThenable: Fastify's overload without a callback returns a promise
  const { payload } = await app.inject({
    method: method as 'POST',
    url: path,
    headers: headers as IncomingHttpHeaders,
    ...(body !== undefined && { payload: body }),
  });
  return payload;
}

async function measureCalls({ operation, amount, takes }: GrownCalls) {
  const token = operation === 'refresh' ? String((await send(callOf('login', {}, apiKey))).token) : apiKey;
  const calls: Call[] = [];
  for (let made = 0; made < amount; made++) {
    const taken = takes ? { [takes.as]: idIn(await send(callOf(takes.from, {}, apiKey))) } : {};
    calls.push(callOf(operation, taken, token));
  }
  return measureTime(async () => {
    for (const call of calls) await send(call);
  });
}

function idIn({ id, site_id }: Record<string, unknown>): unknown {
  return id ?? site_id;
}

/** As many requests of others as there are other foreign entries, and some of the own tenant. */
function fillJournal(): void {
  service.journal.clear();
  const answer = {
    status: 200,
    headers: {},
    body: JSON.stringify({
      code: 0,
      message: 'success',
      trace_id: '4bf92f3577b34da6',
      data: { id: 1, secret: 's' },
    }),
  };
  const { foreign, own } = growth;
  for (let number = 0; number < foreign + own; number++) {
    const tenantId = number < foreign ? 1 : snapshot.counters.tenant;
    service.journal.add({
      at: Date.now(),
      startedAt: 0,
      method: 'POST',
      url: `/api/v1/tenant/sites/${number}/webhooks`,
      headers: { authorization: 'Bearer sp_0123456789abcdef', 'content-type': 'application/json' },
      operation: 'createSubscription',
      traceId: '4bf92f3577b34da6',
      tenantId,
      who: 'API key "Automation"',
      requestBody: JSON.stringify({
        url: `https://hooks.example/${number}`,
        events: ['form.submit'],
        channel: 'custom',
      }),
      refusal: undefined,
      forcedBy: undefined,
      delayReason: undefined,
      answer,
      durationMs: 1,
    });
  }
}

serve(
  {},
  {
    /** Begins anew: a round has made entries. */
    refresh() {
      service.replaceWorld(fromSnapshot(snapshot));
      // Otherwise the first call that adds something would do it.
      estimateBytes(service.world);
      fillJournal();
      // What the old world leaves would be collected while calls are measured.
      collectGarbage();
    },
    calls: (calls) => measureCalls(calls as GrownCalls),
    views(views) {
      const { path, amount } = views as GrownViews;
      return measureTime(async () => {
        for (let read = 0; read < amount; read++)
          await inject({ method: 'GET', path: `/_mock${path}`, headers: { host: 'localhost' } });
      });
    },
  },
);
