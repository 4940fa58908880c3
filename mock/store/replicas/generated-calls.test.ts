// @module-tag nightly
// Two mocks with a shared world must answer random calls like one mock in memory.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Operation, operationsOf, writeQuery, writeRequest } from '../../../openapi/operations.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { resolve } from '../../../openapi/resolve.ts';
import { samplesFor } from '../../../openapi/samples.ts';
import { fillPath } from '../../../openapi/template.ts';
import { basePath, isControlPath } from '../../http/paths.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import { createMock, type RootMock } from '../../server/create-mock.ts';
import { createShutdown } from '../../server/shutdown.ts';
import { openStored } from '../../server/stored-start.ts';
import { openReceiver } from '../../testing/open-mock.ts';
import { makeSchema } from '../../testing/postgres-server.ts';
import { databaseOfTests } from '../../testing/replicas.ts';
import { viewOf } from '../../testing/test-store.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { toWorld } from '../rows.ts';

const numRuns = Number(process.env.GENERATED_RUNS ?? 60);
const seed = Number(process.env.GENERATED_SEED ?? 1);
const mainId = 1;
const atOnce = 6;

const profile = loadProfile('default');
const database = databaseOfTests();
const openPartial = () => openReceiver((path) => ({ status: path.startsWith('/well/') ? 200 : 500 }));

test('two mocks answer like one, and lose nothing', { timeout: 400_000 }, async () => {
  const answered = new Set<string>();
  const { url } = await openPartial();
  const property = fc.asyncProperty(stepsOf(60), (steps) => play(steps, url, answered));
  // Shrinking would take minutes.
  await fc.assert(property, { numRuns, seed, endOnFailure: true });
  // Each kind of call succeeds at least once.
  expect([...answered].sort()).toEqual([...kindsOfCalls].sort());
});

test('concurrent calls leave two mocks with the same world', { timeout: 400_000 }, async () => {
  const { url } = await openPartial();
  const property = fc.asyncProperty(stepsOf(60), (steps) => playAtOnce(steps, url));
  await fc.assert(property, { numRuns, seed, endOnFailure: true });
});

interface Parts {
  sharing: [CalledMock, CalledMock];
  caller: Caller;
  /** Loads the world from the database. */
  stored(): Promise<unknown>;
}

async function withTwo(receiver: string, work: (parts: Parts) => Promise<void>): Promise<void> {
  const store = await makeSchema(database);
  const sharing: Parts['sharing'] = [await openCalled(store), await openCalled(store)];
  const engine = await openPostgres(store);
  const stored = async () => {
    const rows = await engine.load(mainId);
    return rows && viewOf(toWorld(rows));
  };
  const caller = createCaller(receiver);
  try {
    await work({ sharing, caller, stored });
    expect(sharing.flatMap(({ logged }) => logged)).toEqual([]);
  } finally {
    for (const mock of sharing) await mock.close();
    await engine.close();
  }
}

async function play(steps: readonly Step[], receiver: string, accepted: Set<string>): Promise<void> {
  const alone = await openCalled();
  await withTwo(receiver, async ({ sharing, caller, stored }) => {
    for (const step of steps) {
      const call = caller.callOf(step);
      const called = sharing[step.at] as CalledMock;
      const [expected, answered] = [await alone.call(call), await called.call(call)];
      expect(comparable(answered, step), JSON.stringify(call)).toEqual(comparable(expected, step));
      caller.learn(step, expected);
      expect(await stored(), JSON.stringify(call)).toEqual(viewOf(called.service.world));
      if (expected.status === 200) accepted.add(step.name);
    }
  }).finally(alone.close);
}

async function playAtOnce(steps: readonly Step[], receiver: string): Promise<void> {
  await withTwo(receiver, async ({ sharing, caller, stored }) => {
    for (let first = 0; first < steps.length; first += atOnce) {
      const group = steps.slice(first, first + atOnce);
      const calls = group.map(caller.callOf);
      const answers = await Promise.all(
        group.map(({ at }, index) => sharing[at]?.call(calls[index] as Call) as Promise<Answered>),
      );
      for (const [index, answered] of answers.entries()) caller.learn(group[index] as Step, answered);
      // Makes each mock read the changes of the other.
      for (const mock of [...sharing, ...sharing]) await mock.call({ method: 'GET', path: '/_mock/clock' });
      const inDatabase = await stored();
      for (const { service } of sharing)
        expect(viewOf(service.world), JSON.stringify(calls)).toEqual(inDatabase);
    }
  });
}

function comparable(answered: Answered, { name }: Step): Answered {
  return name === 'save' ? { ...answered, body: comparableWorld(answered.body) } : answered;
}

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  token?: string | undefined;
  body?: unknown;
}

/** Without values that differ between runs. */
interface Answered {
  status: number;
  headers: Headers;
  body: string;
}

type Headers = Readonly<Record<string, unknown>>;

type CalledMock = Awaited<ReturnType<typeof openCalled>>;

const fixed = { seed: 1, clock: 'manual' } as const;

/** Without a store URL, the world is in memory. */
async function openCalled(store?: string) {
  const opened = store === undefined ? undefined : await openStored({ ...fixed, store }, createMetrics());
  const logged: string[] = [];
  const mock = createMock({
    ...fixed,
    profile,
    log: (line) => void logged.push(line),
    ...(opened && { store: opened.store.main }),
  });
  await opened?.begin(mock);
  const shutdown = createShutdown(mock, { store: opened?.store });
  return {
    service: mock,
    logged,
    /** Returns after the jobs and pushes of the call. */
    async call(call: Call): Promise<Answered> {
      const answer = await send(mock, call);
      await send(mock, { method: 'POST', path: '/_mock/drain' });
      return answer;
    },
    close: shutdown.close,
  };
}

async function send({ app }: RootMock, { method, path, token, body }: Call): Promise<Answered> {
  const answer = await app.inject({
    method,
    url: path,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { payload: body as object }),
  });
  const { statusCode: status, headers, body: text } = answer;
  return { status, ...(isControlPath(path) ? withoutRealTime(headers, text) : { headers, body: text }) };
}

/** Answers of the control API contain real times and durations. */
function withoutRealTime(headers: Headers, text: string): Omit<Answered, 'status'> {
  const { date: _date, 'content-length': _length, ...others } = headers;
  return { headers: others, body: text.replace(/"duration_ms":[\d.]+/g, '"duration_ms":0') };
}

/** A saved world without values that differ in a shared world: the order of sessions, which changes with use, and job numbers, because only a shared world makes a job of an attempt that a caller waits for. */
function comparableWorld(text: string): string {
  const { sessions, jobs, counters, ...others } = JSON.parse(text) as {
    sessions: Record<string, unknown>;
    jobs: object[];
    counters: object;
  };
  return JSON.stringify({
    ...others,
    sessions: Object.entries(sessions).sort(([one], [other]) => one.localeCompare(other)),
    jobs: jobs.map((job) => ({ ...job, id: 0 })),
    counters: { ...counters, job: 0 },
  });
}

interface Step {
  name: string;
  /** Index of the mock. */
  at: number;
  /** `a` and `b` are from 0 to 3 and select values. */
  a: number;
  b: number;
}

type Caller = ReturnType<typeof createCaller>;

const samples = samplesFor(profile).sent;
const operations = operationsOf(resolve(profile));
const users = [
  ['mei@harbour-cafe.example', 'demo-password-mei'],
  ['tom@harbour-cafe.example', 'demo-password-tom'],
  ['zoe@blumenladen.example', 'demo-password-zoe'],
  ['zoe@blumenladen.example', 'wrong'],
] as const;
const apiKey = 'sp_JMkq2hCqpCu02ytOHhp3ro8YOKEyauBT';
const events = ['publish.complete', 'publish.failed', 'content.publish', 'comment.created'] as const;

/** IDs of the demo world, and of objects that earlier calls may have created. */
function valuesOf({ a, b }: Step, receiver: string): Record<string, unknown> {
  const [username, password] = users[a] ?? users[0];
  return {
    ...samples,
    ...{ username, password, name: `Name ${b}`, title: `Title ${b}`, text: `${a}`, note: `note ${b}` },
    ...{ prompt: `${b}`, fields: { b }, events: events.slice(0, a + 1), channel: 'custom' },
    url: `${receiver}/${b % 2 ? 'well' : 'ill'}/${a}`,
    siteID: [101, 101, 201, 1001][b],
    contentID: [1, 9, 10, 11][a],
    version: 8 + a,
    keyID: b + 1,
    id: a + 1,
    subscriptionID: a + 1,
  };
}

/** Calls of the control API, with method and path in `line`. */
const controls: Readonly<Record<string, (step: Step, saved: unknown) => [line: string, body?: unknown]>> = {
  moveClock: ({ a }) => ['POST /clock', { advance: ['PT1S', 'PT1M', 'PT6M', 'PT3H'][a] }],
  causeEvent: ({ a, b }) => ['POST /events', { event: events[a], site_id: 101 + b }],
  redeliver: ({ a }) => [`POST /deliveries/${a + 1}/redeliver`],
  giveUp: ({ a }) => [`POST /deliveries/${a + 1}/give-up`],
  expireTokens: ({ a }) => ['POST /tokens/expire', a ? { username: users[a]?.[0] } : {}],
  clearLimits: () => ['DELETE /limits'],
  override({ a, b }) {
    const operation = ['listSites', 'publishSite', 'login', 'createKey'][a];
    const answer = b % 2 ? { status: 503 } : { code: 42901 };
    return ['POST /overrides', { operation, ...answer, times: 1 + (b >> 1) }];
  },
  prepareInbox: ({ b }) => ['PUT /inbox/ci', { respond: [500 + b, 200] }],
  message: ({ b }) => ['POST /inbox/ci', { message: b }],
  listMessages: () => ['GET /inbox/ci/messages'],
  overview: () => ['GET /overview'],
  deliveries: () => ['GET /deliveries'],
  requests: () => ['GET /requests'],
  clearRequests: () => ['DELETE /requests'],
  reset: ({ a }) => ['POST /reset', a === 0 ? {} : { tenant: 1 + (a % 2) }],
  save: () => ['GET /world'],
  restore: (_, saved) => (saved === undefined ? ['GET /clock'] : ['PUT /world', saved]),
};

const kindsOfCalls = [...operations.map(({ id }) => id as string), ...Object.keys(controls)];

const weights: Record<string, number> = { login: 6, publishSite: 8, createSubscription: 6, moveClock: 8 };
const seldom = ['deleteSite', 'deleteKey'];
const small = fc.nat({ max: 3 });

function stepsOf(mostSteps: number): fc.Arbitrary<Step[]> {
  const names = kindsOfCalls.map((name) => ({
    weight: weights[name] ?? (seldom.includes(name) ? 1 : 2),
    arbitrary: fc.constant(name),
  }));
  return fc.array(fc.record({ name: fc.oneof(...names), at: fc.nat({ max: 1 }), a: small, b: small }), {
    minLength: mostSteps / 2,
    maxLength: mostSteps,
    size: 'max',
  });
}

/** `receiver` is a URL without a path. */
function createCaller(receiver: string) {
  /** Ended tokens stay in the list, so that calls with them are tested too. */
  const tokens = [apiKey];
  let saved: unknown;
  return {
    callOf(step: Step): Call {
      const { name, a } = step;
      const control = controls[name];
      if (control) {
        const [line, body] = control(step, saved);
        const [method, path] = line.split(' ') as [Call['method'], string];
        return { method, path: `/_mock${path}`, body };
      }
      const operation = operations.find(({ id }) => id === name) as Operation;
      const values = valuesOf(step, receiver);
      return {
        method: operation.method as Call['method'],
        path: basePath + fillPath(operation.path, values) + writeQuery(operation, values),
        body: writeRequest(operation, values),
        token: a === 3 ? apiKey : tokens[Math.max(0, tokens.length - 1 - a)],
      };
    },
    /** Remembers new tokens and saved worlds. */
    learn({ name }: Step, { status, body }: Answered): void {
      if (status !== 200 || body === '') return;
      const answer = JSON.parse(body) as { data?: { token?: string; key?: string } };
      if (name === 'save') saved = answer;
      for (const token of [answer.data?.token, answer.data?.key]) if (token) tokens.push(token);
    },
  };
}
