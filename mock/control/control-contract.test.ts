import { expect, test } from 'vitest';
import type { Json } from '../../openapi/json.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { readDescription } from '../../openapi/resolve.ts';
import { examplePathOf, openControl } from '../testing/open-control.ts';
import { calls as functions } from './calls/index.ts';
import { type ControlCall, controlCalls, readTarget } from './control-contract.ts';

const calls = controlCalls();
const description = readDescription('mock-control.yaml');

test('every described call is answered, and no other', () => {
  const described = calls.map(({ id }) => id).filter((id) => id !== 'sendMessage' && id !== 'stream');
  expect(Object.keys(functions).sort()).toEqual(described.sort());
});

test('every call says what it needs of a store', () => {
  for (const { id, method, turn } of calls)
    expect(method === 'GET' ? ['none', 'read', 'journal'] : ['none', 'change'], id).toContain(turn);
});

test.each(
  calls.flatMap((call) =>
    examplesOf(call).map(([name, value]) => [`${call.name} ${name}`, call, value] as const),
  ),
)('the example %s is accepted', async (_name, call, value) => {
  const { call: make, perform, mei } = openControl();
  await perform('login', mei);
  const { status, body } = await make(`${call.method} ${examplePathOf(call)}`, value);
  // This example names an unknown token.
  const wanted = JSON.stringify(value).includes('st_8c1f') ? 404 : 200;
  expect([status, status === wanted ? undefined : body]).toEqual([wanted, undefined]);
});

test.each(calls.map((call) => [call.name, call] as const))(
  '%s accepts no undescribed member or query parameter',
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

test('every call with a body has examples of it', () => {
  const without = calls.filter((call) => call.body && examplesOf(call).length === 0).map(({ id }) => id);
  // Nobody writes a snapshot by hand, and a message may be anything.
  expect(without).toEqual(['putWorld', 'sendMessage']);
});

function examplesOf({ body }: ControlCall): [string, unknown][] {
  const examples = body && getAt(description, body.schema.replace(/\/schema$/, '/examples'));
  return Object.entries((examples ?? {}) as Record<string, Json>).map(([name, example]) => [
    name,
    example.value,
  ]);
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
])('%s %s', (method, url, target) => {
  expect(readTarget(method, url)).toEqual(target);
});

test('refuses a path that is not percent-encoded', () => {
  expect(() => readTarget('GET', '/_mock/%zz')).toThrow('not percent-encoded');
});

test('a method with a wrong body: a call that waits rejects, any other throws', async () => {
  const { control } = openControl();
  await expect(control.moveClock({})).rejects.toThrow('POST /_mock/clock: the body: expected a map with');
  await expect(control.setFaults({ on: 1 as never })).rejects.toThrow('/on: expected a list');
  expect(() => control.causeEvent({ event: 'x' as never })).toThrow('/event: expected one of');
  expect(control.expireTokens()).toEqual({ expired: 0 });
});
