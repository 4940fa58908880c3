import { expect, test } from 'vitest';
import type { Json } from '../../openapi/json.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { readDescription } from '../../openapi/resolve.ts';
import { StoreError } from '../store/store-error.ts';
import { examplePathOf, openControl } from '../testing/open-control.ts';
import { startTestMock } from '../testing/started-mock.ts';
import { pathOfTest } from '../testing/test-store.ts';
import { toSnapshot } from '../world/snapshot.ts';
import { createAsyncControl } from './control.ts';
import { type ControlCall, controlCalls, readTarget } from './control-contract.ts';

const calls = controlCalls();
const description = readDescription('mock-control.yaml');

test('each signature of the reference page names a method', () => {
  const { control } = openControl();
  const methods = { ...control, ...control.inbox('ci') };
  const signatures = JSON.stringify(description).matchAll(/"x-signature":"(?:inbox\(name\)\.)?(\w+)/g);
  const named = [...signatures].map(([, name]) => name);
  expect(named).toContain('configure');
  expect(Object.keys(methods)).toEqual(expect.arrayContaining(named));
});

test('every call states the turn that it needs', () => {
  for (const { id, method, turn } of calls)
    expect(method === 'GET' ? ['none', 'read', 'journal'] : ['none', 'change'], id).toContain(turn);
});

test.each(
  calls.flatMap((call) =>
    examplesOf(call).map(([name, value]) => [`${call.name} ${name}`, call, value] as const),
  ),
)('accepts the example %s', async (_name, call, value) => {
  const { call: make, perform, mei } = openControl();
  await perform('login', mei);
  const { status, body } = await make(`${call.method} ${examplePathOf(call)}`, value);
  // The example has an unknown token.
  const wanted = JSON.stringify(value).includes('st_8c1f') ? 404 : 200;
  expect([status, status === wanted ? undefined : body]).toEqual([wanted, undefined]);
});

test.for(calls)('$name refuses an unknown member and an unknown query parameter', async (call) => {
  if (call.id === 'sendMessage' || call.id === 'stream') return;
  const { call: make } = openControl();
  const line = `${call.method} ${examplePathOf(call)}`;
  const error = expect.stringMatching(/there is no (query parameter|member) "colour"/);
  const refused = { status: 400, body: { error } };
  expect(await make(`${line}?colour=red`, call.body && {})).toMatchObject(refused);
  if (call.body) expect(await make(line, { colour: 'red' })).toMatchObject(refused);
});

test('every call with a body has examples', () => {
  const without = calls.filter((call) => call.body && examplesOf(call).length === 0).map(({ id }) => id);
  // Snapshots are not written by hand, and a message can be anything.
  expect(without).toEqual(['putWorld', 'sendMessage']);
});

function examplesOf({ body }: ControlCall): [string, unknown][] {
  const examples = body && getAt(description, body.schema.replace(/\/schema$/, '/examples'));
  return Object.entries((examples ?? {}) as Record<string, Json>).map(([name, { value }]) => [name, value]);
}

const callTo = (...segments: string[]) => ({ kind: 'call', segments });
const message = (name: string, path: string) => ({ kind: 'message', name, path });

test.each([
  ['GET', '/%5fmock/world?x=/_mock/inbox/a', callTo('_mock', 'world')],
  ['GET', 'http://mock.example/_mock/world', callTo('_mock', 'world')],
  ['GET', '/_mock/world#/_mock/inbox/a', callTo('_mock', 'world')],
  ['GET', '/_mock/../_mock/world', callTo('_mock', '..', '_mock', 'world')],
  ['GET', '/_mock%2Finbox/a', callTo('_mock/inbox', 'a')],
  ['GET', '/_mock/inbox%2Fa', callTo('_mock', 'inbox/a')],
  ['POST', '/_mock/inbox/', callTo('_mock', 'inbox', '')],
  ['GET', '/_mock/inbox/ci/%6dessages', callTo('_mock', 'inbox', 'ci', 'messages')],
  ['HEAD', '/_mock/inbox/ci/messages', callTo('_mock', 'inbox', 'ci', 'messages')],
  ['HEAD', '/_mock/inbox/ci', message('ci', '')],
  ['POST', '/_mock/inbox/a%2Fb?key=%20', message('a/b', '?key=%20')],
  ['PUT', '/_mock/inbox/ci/', message('ci', '/')],
  ['POST', '/_mock/inbox/ci/messages', message('ci', '/messages')],
  ['POST', 'http://mock.example:4010/_mock/inbox/ci/x/y?z#w', message('ci', '/x/y?z#w')],
])('reads the target of %s %s', (method, url, target) => {
  expect(readTarget(method, url)).toEqual(target);
});

test('a method with an invalid body throws, or rejects if it returns a promise', async () => {
  const { control } = openControl();
  await expect(control.moveClock({})).rejects.toThrow('POST /_mock/clock: the body: expected a map with');
  await expect(control.setFaults({ on: 1 as never })).rejects.toThrow('/on: expected a list');
  expect(() => control.causeEvent({ event: 'x' as never })).toThrow('/event: expected one of');
  expect(control.expireTokens()).toEqual({ expired: 0 });
});

test('the control of a stored mock and of its named worlds returns promises', async () => {
  const { control, worlds } = await startTestMock({ store: `file:${pathOfTest()}` });
  const { control: own } = await worlds.create({ name: 'pr-1' });
  for (const asked of [control.health(), control.tenants(), control.inbox('ci').messages(), own.clock()])
    expect(asked).toBeInstanceOf(Promise);
  await own.inbox('ci').configure({});
  expect((await own.inboxes()).inboxes).toMatchObject([{ name: 'ci' }]);
  expect((await control.inboxes()).inboxes).toEqual([]);
  await expect(control.site(999)).rejects.toThrow('999');
  expect(control.watch(() => {})).toBeTypeOf('function');
});

test('calls that only read work while the disk is full', async () => {
  const { control, service } = openControl();
  const { store: _, ...alone } = service; // In a shared store, reading takes a turn.
  const turn = () => Promise.reject(new StoreError('the disk is full'));
  const stored = createAsyncControl({ ...alone, turn });
  expect(await stored.clock()).toEqual(control.clock());
  expect(await stored.inbox('ci').messages()).toEqual(control.inbox('ci').messages());
  for (const asked of [stored.clearLimits(), stored.inbox('ci').clear()])
    await expect(asked).rejects.toMatchObject({ status: 503 });
});

const longName = 'x'.repeat(101);
const username = 'mei@harbour-cafe.example';

const worldAdvice =
  'send the answer of GET /_mock/world here, or a world file as "world" to POST /_mock/worlds';

const refusals: Record<string, [body: unknown, status: number, reason: string | RegExp][]> = {
  'POST /clock': [
    ['', 400, 'expected a JSON body; it is empty'],
    ['{"advance":', 400, 'the body is not JSON'],
    ['[]', 400, 'the body: expected a map with at least one of mode, to, advance'],
    ['{"advance":"PT1M","__proto__":{}}', 400, 'the body: there is no member'],
    [`{"advance":"${' '.repeat(1_048_576)}"}`, 413, 'the body is larger than 1048576 bytes'],
    [`${'['.repeat(1001)}${']'.repeat(1001)}`, 413, 'the body is larger than 1000 levels'],
    [{}, 400, 'the body: expected a map with at least one of mode, to, advance'],
    [{ advance: 'PT1M', to: '2026-01-02T03:09:05Z' }, 400, 'send either "to" or "advance", not both'],
    [{ advance: '36m' }, 400, 'such as PT36M, PT1H30M or P1D; it is "36m"'],
    [{ advance: 'P3654D' }, 400, 'at most ten years'],
    [{ advance: `PT${'9'.repeat(400)}S` }, 400, 'at most ten years'],
    [{ to: '2026-01-02T03:04:05' }, 400, '/to: expected a time with its offset, such as 2026-01-02'],
    [{ advanse: 'PT1M' }, 400, 'no member "advanse"; did you mean "advance"? (known: mode, to, advance)'],
    [{ to: '2026-01-02T03:04:04Z' }, 409, 'the clock only moves forward'],
    [{ mode: 'real', to: '2020-01-01T00:00:00Z' }, 409, 'the clock only moves forward'],
  ],
  'POST /events': [
    [{ event: 'publish.complet', site_id: 101 }, 400, '/event: expected one of content.publish'],
    [{ event: 'form.submit', site_id: 101, data: [] }, 400, '/data: expected a map'],
    [{ event: 'publish.complete', data: { pages: '2' } }, 400, '/data/pages: expected a whole number'],
    [{ event: 'form.submit', site_id: 999 }, 404, 'there is no site 999; known sites: 101 ('],
  ],
  'PUT /inbox/ci': [
    [{ respond: [99] }, 400, '/respond/0: expected an HTTP status from 200 to 599, "timeout", "reset"'],
    [{ respond: 500 }, 400, '/respond: expected a list of answers to the next messages, each '],
    [{ respond: [{ status: 200, headers: { 'a b': 'c' } }] }, 400, '/respond/0'],
    [{ respond: [{ status: 200, headers: { a: 'b\r\nc' } }] }, 400, '/respond/0'],
    [{ robot: { signSecret: 'x' } }, 400, '/robot: there is no member "signSecret"; did you mean "sign_'],
    [
      { secret: 6174, robot: { token: 6174 } },
      400,
      /: \/secret: expected a text.*; \/robot\/token: expected a text/,
    ],
  ],
  [`PUT /inbox/${longName}`]: [[{}, 400, '"name" in the path: expected a text of 1 to 100 characters']],
  [`POST /inbox/${longName}`]: [[{}, 400, 'an inbox name must have 1 to 100 characters']],
  'POST /inbox/ci': [[`"${'x'.repeat(1_048_576)}"`, 413, '1048576 bytes']],
  'POST /overrides': [
    [{ operation: 'logn', status: 500 }, 400, 'there is no operation "logn"; did you mean '],
    [{ operation: 'login', times: 1 }, 400, 'send at least one of "status", "code", "body" and "delay_ms"'],
    [{ operation: 'login', code: 1, body: {} }, 400, 'send either "code" or "body", not both'],
    [{ operation: 'login', status: 204, body: {} }, 400, 'an answer with status 204 cannot have a body'],
    [{ status: 500 }, 400, '/operation: is missing; expected a text'],
    [{ operation: 'login', status: 99 }, 400, '/status: expected a whole number from 200 to 599'],
    [{ operation: 'login', delay_ms: 300_001 }, 400, '/delay_ms: expected a whole number from 0 to 300000'],
    [{ operation: 'login', status: 500, times: 0 }, 400, '/times: expected a whole number from 1 to 1000000'],
  ],
  'PUT /faults': [
    [{ on: 'third-retry' }, 400, 'faults: /on: expected a list of ids of faults; it is "third-retry"'],
  ],
  'POST /tokens/expire': [
    [{ token: 'st_0123456789abcdef' }, 404, 'unknown session token'],
    [{ username: 'nobody' }, 404, 'there is no user with this name'],
    [{ token: 'a', username: 'b' }, 400, 'the body: expected a map with at most 1 member'],
  ],
  'POST /calls': [
    [{ operation: 'logn', username }, 400, 'did you mean login?'],
    [{ operation: 'listSites' }, 400, '"username" is missing'],
    [{ operation: 'listSites', username: 'nobody' }, 409, 'the mock does not know the password of nobody'],
    [{ operation: 'login', username: 'nobody' }, 409, 'the mock does not know the password of nobody'],
  ],
  'PUT /world': [
    [{ tenants: [{ name: 'A' }] }, 400, worldAdvice],
    ['tenants: []', 400, worldAdvice],
  ],
};

const withoutBody: [line: string, status: number, reason: string][] = [
  ['GET /deliveries/7', 404, 'there is no delivery 7'],
  ['POST /deliveries/7/redeliver', 404, 'there is no delivery 7'],
  ['POST /deliveries/7/give-up', 404, 'there is no delivery 7'],
  ['GET /deliveries/seven', 400, '"id" in the path: expected a whole number from 1'],
  ['GET /deliveries?state=done', 400, '"state" in the query: expected one of pending, delivered, '],
  ['GET /deliveries?site=1', 400, 'there is no query parameter "site"; did you mean "state"?'],
  ['GET /deliveries?site_id=1&site_id=2', 400, '"site_id" appears twice in the query'],
  ['GET /requests/2', 404, 'there is no request 2'],
  ['GET /requests?tenant=9', 404, 'there is no tenant "9"'],
  ['GET /requests?after=-1', 400, '"after" in the query: expected a whole number from 0'],
  ['GET /sites/999', 404, 'there is no site 999; GET /_mock/tenants lists them'],
  ['GET /sites/999/contents', 404, 'there is no site 999; GET /_mock/sites lists them'],
  ['GET /sites?limit=101', 400, '"limit" in the query: expected a whole number from 1 to 100'],
  ['GET /sites?limit=0', 400, '"limit" in the query: expected a whole number from 1 to 100'],
  ['POST /reset?sessions=kept', 400, '"sessions" in the query: expected'],
  ['POST /reset?tenant=Harbor%20Cafe', 404, 'no tenant "Harbor Cafe"; did you mean "Harbour Café"? (known:'],
];

test.each([
  ...withoutBody.map(([line, status, reason]) => [line, undefined, status, reason] as const),
  ...Object.entries(refusals).flatMap(([line, rows]) => rows.map((row) => [line, ...row] as const)),
])('%s refuses %j with %i: %s', async (line, body, status, reason) => {
  const { call, service } = openControl();
  const before = toSnapshot(service.world);
  const answer = await call(line, body);
  expect(answer.status).toBe(status);
  expect(answer.body.error).toMatch(reason);
  expect(answer.text).not.toContain('st_0');
  expect(toSnapshot(service.world)).toEqual(before);
});
