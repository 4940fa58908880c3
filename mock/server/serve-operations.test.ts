import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
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

/** Most often nothing. */
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

type Drawn = ReturnType<
  typeof fc.sample<typeof request extends fc.Arbitrary<infer Value> ? Value : never>
>[0];

/** On a port, and a function that sends it what was drawn. */
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
  const operations = operationsOf(mock.description);
  byFastify = 0;
  const send = (drawn: Drawn) => exchange(mock, textOf(drawn, { mock, session, operations }), drawn);
  return { mock, send, byFastify: () => byFastify };
}

function textOf(
  drawn: Drawn,
  { mock, session, operations }: { mock: TestMock; session: string; operations: readonly Operation[] },
): string {
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

/** All that comes back, byte for byte, until nothing more is to be expected. */
async function exchange({ app }: TestMock, text: string, { isHalved }: Drawn): Promise<string> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += String(chunk);
  });
  // What ends the connection early is told by the answer.
  const closed = once(
    socket.on('error', () => {}),
    'close',
  );
  const half = isHalved ? Math.floor(text.length / 2) : text.length;
  socket.write(text.slice(0, half));
  if (isHalved) await new Promise((resolve) => setTimeout(resolve, 2));
  // The second one ends the connection.
  socket.write(`${text.slice(half)}GET ${basePath}/end HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await closed;
  return received;
}

/** As both mocks list the sites, whatever was drawn. */
function listing({ mock }: { mock: TestMock }, drawn: Drawn | undefined): Drawn {
  const operation = operationsOf(mock.description).findIndex(({ id }) => id === 'listSites');
  const usual = { method: undefined, prefix: undefined, suffix: undefined, header: undefined };
  return { ...(drawn as Drawn), ...usual, operation };
}

test('a fault shows in the same bytes, too', async () => {
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
  'an answer whose status an override states, such as %i, is the same in bytes, too',
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

test.each(profileNames)(
  'a call is answered with the same bytes directly as by Fastify: %s',
  async (profile) => {
    const [direct, other] = [await open(profile, true), await open(profile, false)];
    for (const drawn of fc.sample(request, { seed: 5, numRuns: 100 }))
      expect(await direct.send(drawn), JSON.stringify(drawn).slice(0, 500)).toBe(await other.send(drawn));
    // Each is followed by one that is left to Fastify.
    expect(direct.byFastify() - 100).toBeLessThan(70);
    expect(other.byFastify() - 100).toBeGreaterThan(80);
    const journalOf = ({ mock: { control } }: typeof direct) =>
      control.requests({ limit: 1000 }).requests.map(({ duration_ms: _, ...one }) => one);
    expect(journalOf(direct)).toEqual(journalOf(other));
    expect(JSON.stringify(await direct.mock.control.world())).toBe(
      JSON.stringify(await other.mock.control.world()),
    );
  },
  60_000,
);
