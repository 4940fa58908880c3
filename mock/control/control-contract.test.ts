import { expect, test } from 'vitest';
import type { Json } from '../../openapi/json.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { readDescription } from '../../openapi/resolve.ts';
import { StoreError } from '../store/store-error.ts';
import { examplePathOf, openControl } from '../testing/open-control.ts';
import { startTestMock } from '../testing/started-mock.ts';
import { pathOfTest } from '../testing/test-store.ts';
import { calls as functions } from './calls/index.ts';
import { createAsyncControl } from './control.ts';
import { type ControlCall, controlCalls, readTarget } from './control-contract.ts';

const calls = controlCalls();
const description = readDescription('mock-control.yaml');

test('implements exactly the described calls', () => {
  const described = calls.map(({ id }) => id).filter((id) => id !== 'sendMessage' && id !== 'stream');
  expect(Object.keys(functions).sort()).toEqual(described.sort());
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

test.each(calls.map((call) => [call.name, call] as const))(
  '%s refuses an unknown member and an unknown query parameter',
  async (_name, call) => {
    if (call.id === 'sendMessage' || call.id === 'stream') return;
    const { call: make } = openControl();
    const line = `${call.method} ${examplePathOf(call)}`;
    const error = expect.stringMatching(/there is no (query parameter|member) "colour"/);
    const refused = { status: 400, body: { error } };
    expect(await make(`${line}?colour=red`, call.body && {})).toMatchObject(refused);
    if (call.body) expect(await make(line, { colour: 'red' })).toMatchObject(refused);
  },
);

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
  ['GET', '/_mock/world', callTo('_mock', 'world')],
  ['GET', '/%5fmock/world?x=/_mock/inbox/a', callTo('_mock', 'world')],
  ['GET', 'http://mock.example/_mock/world', callTo('_mock', 'world')],
  ['GET', '/_mock/world#/_mock/inbox/a', callTo('_mock', 'world')],
  ['GET', '/_mock/../_mock/world', callTo('_mock', '..', '_mock', 'world')],
  ['GET', '/_mock%2Finbox/a', callTo('_mock/inbox', 'a')],
  ['GET', '/_mock/inbox%2Fa', callTo('_mock', 'inbox/a')],
  ['POST', '/_mock/inbox/', callTo('_mock', 'inbox', '')],
  ['DELETE', '/_mock/inbox/ci?x=1', callTo('_mock', 'inbox', 'ci')],
  ['GET', '/_mock/inbox/ci/%6dessages', callTo('_mock', 'inbox', 'ci', 'messages')],
  ['HEAD', '/_mock/inbox/ci/messages', callTo('_mock', 'inbox', 'ci', 'messages')],
  ['HEAD', '/_mock/inbox/ci', message('ci', '')],
  ['POST', '/_mock/inbox/ci', message('ci', '')],
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
