// Random requests over real sockets, mostly valid.
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type Operation, operationsOf, writeQuery, writeRequest } from '../../openapi/operations.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { samplesFor } from '../../openapi/samples.ts';
import { fillPath } from '../../openapi/template.ts';
import { faults } from '../faults/faults.ts';
import { basePath } from '../http/paths.ts';
import { listen, openMock, profileNames, type TestMock } from '../testing/open-mock.ts';
import { noteAnswer } from './socket-errors.ts';

const right = {
  ...samplesFor(loadProfile('default')).sent,
  ...{ url: 'http://127.0.0.1:1/', text: '"\u2028', page: 1, page_size: 2 },
};
const odd = fc.constantFrom(7, null, '', [], 'other');
const mostlyRight = (value: unknown) => fc.oneof({ weight: 30, arbitrary: fc.constant(value) }, odd);

const values = fc.record({
  ...Object.fromEntries(Object.entries(right).map(([name, value]) => [name, mostlyRight(value)])),
  siteID: fc.constantFrom(101, 101, 101, 102, 201, 'x', '0101', '1e2', 'a%20b', 'a;b', '%zz', '..'),
  id: fc.constantFrom(1, 2, 99, 'x'),
  subscriptionID: fc.constantFrom(1, 2, 99),
  contentID: fc.constantFrom(1, 2, 99),
  keyID: fc.constantFrom(1, 99),
});

const seldom = <Value>(...odd: Value[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, fc.constantFrom(...odd));

const request = fc.record({
  operation: fc.nat(),
  method: seldom('HEAD', 'OPTIONS', 'GET', 'POST', 'PUT', 'DELETE', 'QUERY'),
  values,
  prefix: seldom('/w/main', 'http://x'),
  suffix: seldom('/', '?x=1', '#x', '//'),
  token: fc.constantFrom('key', 'key', 'key', 'session', 'unknown', 'Basic x', undefined),
  type: fc.constantFrom('application/json', 'application/json', 'application/json', 'text/plain', undefined),
  header: seldom(
    ...['Prefer: code=429', 'Prefer: delay=1', 'Origin: http://a.example', 'Idempotency-Key: a'],
    ...['Expect: 100-continue', 'Expect: x', 'Connection: close', 'X-Sitepub-World: main'],
  ),
  body: seldom('', '{', '[]', '{}', '\ud800', '{"username":1}', 'x'.repeat(1_100_000)),
  isHalved: fc.boolean(),
});

type Sample<Drawing> = Drawing extends fc.Arbitrary<infer Value> ? Value : never;
type Drawn = Sample<typeof request>;

async function open(profile: string, isDirect: boolean) {
  const mock = openMock(loadProfile(profile), { clock: 'manual' });
  const { server } = mock.app;
  let byFastify = 0;
  mock.app.addHook('onRequest', async () => {
    byFastify++;
  });
  if (!isDirect) {
    server.removeAllListeners('request');
    await mock.app.ready();
    server.on('request', (message, response) => {
      noteAnswer(message, response);
      (mock.app.routing as RequestListener)(message, response);
    });
  }
  await listen(mock.app);
  onTestFinished(() => mock.app.close());
  const session = await mock.logIn();
  byFastify = 0;
  function write(drawn: Drawn, operations = operationsOf(mock.description)): string {
    const operation = operations[drawn.operation % operations.length] as Operation;
    const url = basePath + fillPath(operation.path, drawn.values) + writeQuery(operation, drawn.values);
    const body = drawn.body ?? JSON.stringify(writeRequest(operation, drawn.values) ?? '');
    const tokens: Record<string, string> = { key: mock.harbourKey, session };
    const { token, type, header } = drawn;
    const authorization = token?.includes(' ') ? token : token && `Bearer ${tokens[token] ?? token}`;
    return [
      `${drawn.method ?? operation.method} ${drawn.prefix ?? ''}${url}${drawn.suffix ?? ''} HTTP/1.1`,
      'Host: 127.0.0.1',
      ...(authorization ? [`Authorization: ${authorization}`] : []),
      ...(type ? [`Content-Type: ${type}`] : []),
      ...(header ? [header] : []),
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...['', body],
    ].join('\r\n');
  }
  /** Returns all received bytes. */
  async function send(drawn: Drawn): Promise<string> {
    // The second request closes the connection.
    const text = `${write(drawn)}GET ${basePath}/end HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const half = drawn.isHalved ? Math.floor(text.length / 2) : text.length;
    return (await exchange(mock, [text.slice(0, half), text.slice(half)])).received;
  }
  return { mock, write, send, byFastify: () => byFastify };
}

/** Returns all that is received until the connection ends. After a reset, the rest is lost. */
async function exchange({ app }: TestMock, parts: readonly (string | Buffer)[], { isEnded = false } = {}) {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let received = '';
  let isReset = false;
  socket
    .setEncoding('latin1')
    .on('data', (chunk) => {
      received += String(chunk);
    })
    .on('error', () => {
      isReset = true;
    })
    .on('close', () => resolve());
  for (const part of parts) {
    socket.write(part);
    await sleep(2);
  }
  if (isEnded) socket.end();
  await closed;
  return { received, isReset };
}

function listing({ mock }: { mock: TestMock }, drawn: Drawn | undefined): Drawn {
  const operation = operationsOf(mock.description).findIndex(({ id }) => id === 'listSites');
  const usual = { method: undefined, prefix: undefined, suffix: undefined, header: undefined };
  return { ...(drawn as Drawn), ...usual, operation };
}

test('answers with a fault in the same bytes directly and by Fastify', async () => {
  const [direct, other] = [await open('default', true), await open('default', false)];
  const ids = faults.filter(({ requirement }) => requirement.startsWith('ENV-')).map(({ id }) => id);
  for (const [index, any] of fc.sample(request, { seed: 6, numRuns: 2 * ids.length }).entries()) {
    const id = ids[index % ids.length] ?? '';
    const drawn = index < ids.length ? any : { ...listing(direct, any), token: 'session' as const };
    for (const { mock } of [direct, other]) await mock.service.faults.set([id]);
    const shown = `${id} ${JSON.stringify(drawn).slice(0, 500)}`;
    expect(await direct.send(drawn), shown).toBe(await other.send(drawn));
  }
}, 60_000);

test.each([204, 205, 304, 404, 599])(
  'answers with the forced status %i in the same bytes directly and by Fastify',
  async (status) => {
    const [direct, other] = [await open('default', true), await open('default', false)];
    for (const { mock } of [direct, other]) mock.control.override({ operation: 'listSites', status });
    const [any] = fc.sample(request, { seed: 5, numRuns: 1 });
    const drawn = { ...listing(direct, any), token: 'key' as const, values: {} as Drawn['values'] };
    const received = await direct.send(drawn);
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(received).toBe(await other.send(drawn));
    expect([direct.byFastify(), other.byFastify()]).toEqual([1, 2]);
  },
);

test.each(profileNames)('%s: answers a call in the same bytes directly and by Fastify', async (profile) => {
  const [direct, other] = [await open(profile, true), await open(profile, false)];
  for (const drawn of fc.sample(request, { seed: 5, numRuns: 100 }))
    expect(await direct.send(drawn), JSON.stringify(drawn).slice(0, 500)).toBe(await other.send(drawn));
  // Fastify answers each second request.
  expect(direct.byFastify() - 100).toBeLessThan(70);
  expect(other.byFastify() - 100).toBeGreaterThan(80);
  const journalOf = ({ mock: { control } }: typeof direct) =>
    control.requests({ limit: 1000 }).requests.map(({ duration_ms: _, ...one }) => one);
  expect(journalOf(direct)).toEqual(journalOf(other));
  expect(JSON.stringify(await direct.mock.control.world())).toBe(
    JSON.stringify(await other.mock.control.world()),
  );
});

const oddText = fc.oneof(
  { weight: 8, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
  { weight: 4, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 2, arbitrary: fc.constantFrom('-1', '1e308', '9007199254740992', '"\\ud800"', '"', '[null]') },
  fc.constantFrom('{"__proto__":{"polluted":1}}', '1,"__proto__":{"polluted":1}'),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.integer({ min: 1, max: 400_000 }).map((length) => `"${'漢'.repeat(length)}"`),
);

const spoilt = fc.record({
  drawn: request,
  /** Replaces a value of the body. */
  value: fc.option(oddText, { nil: undefined }),
  /** Added to the declared length of the body. */
  added: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, fc.constantFrom(-5, -1, 1, 5)),
  /** Replaces bytes anywhere. */
  bytes: fc.option(fc.uint8Array({ maxLength: 12 }), { nil: undefined }),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat({ max: 8 }),
});

function spoil(text: string, { value, added, bytes, at, removed }: Sample<typeof spoilt>): Buffer {
  const [head = '', right = ''] = text.split('\r\n\r\n');
  const body = value === undefined ? right : right.replace(/:("[^"]*"|\d+)/, () => `:${value}`);
  const length = Math.max(0, Buffer.byteLength(body) + added);
  const changed = head.replace(/(?<=Content-Length: ).*/, `${length}\r\nConnection: close`);
  const sent = Buffer.from(`${changed}\r\n\r\n${body}`);
  // Most of a long request is its body.
  const from = Math.floor(at * Math.min(sent.length, 2 * head.length));
  return bytes ? Buffer.concat([sent.subarray(0, from), bytes, sent.subarray(from + removed)]) : sent;
}

/** Explains a wrong answer. There may be several answers if the bytes contain several requests. */
function judge({ received, isReset }: Awaited<ReturnType<typeof exchange>>, sent: Buffer) {
  const isHead = sent.toString('latin1', 0, 5) === 'HEAD ';
  for (let rest = received.replaceAll('HTTP/1.1 100 Continue\r\n\r\n', ''); rest !== ''; ) {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (!(status >= 200 && status < 500)) return `status in ${JSON.stringify(head.slice(0, 100))}`;
    rest = rest.slice(head.length + 4);
    // The answer to HEAD has no body, unless the mock could not read the method.
    if (isHead && rest[0] !== '{') continue;
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (isReset && rest.length < length) return undefined;
    if (!isEnvelope(rest.slice(0, length))) return `not in the envelope: ${rest}`;
    rest = rest.slice(length);
  }
  return undefined;
}

function isEnvelope(text: string): boolean {
  const { code, message, trace_id } = JSON.parse(text) as Record<string, unknown>;
  return Number.isInteger(code) && typeof message === 'string' && typeof trace_id === 'string';
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

/** Concurrent, since some answers come only after a timeout. */
const lanes = 16;

/** Expects no 5xx, all answers in the envelope, and constant memory. */
async function sendMalformed(runs: number): Promise<void> {
  const { mock, write } = await open('default', true);
  const lasting = ({ id }: Operation) => !['deleteKey', 'deleteSite'].includes(id);
  const operations = operationsOf(mock.description).filter(lasting);
  let count = 0;
  let filled = 0;
  const property = fc.asyncProperty(spoilt, async (one) => {
    if (++count === runs / 2) filled = heapMegabytes();
    // Otherwise the limits would refuse most requests unread.
    mock.service.world.limits.clear();
    const bytes = spoil(write(one.drawn, operations), one);
    expect(judge(await exchange(mock, [bytes], { isEnded: true }), bytes)).toBeUndefined();
  });
  const lane = (seed: number) => fc.assert(property, { numRuns: runs / lanes, seed, endOnFailure: true });
  await Promise.all(Array.from({ length: lanes }, (_, seed) => lane(seed)));
  expect(mock.logged).toEqual([]);
  expect(heapMegabytes() - filled).toBeLessThan(20);
  expect({}).not.toHaveProperty('polluted');
}

test('survives 2,000 malformed requests', () => sendMalformed(2_000));

test('survives 10,000 malformed requests', { tags: ['ci'], timeout: 900_000 }, () => sendMalformed(10_000));
