import { expect, test } from 'vitest';
import type { Json } from '../../openapi/json.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { readDescription } from '../../openapi/resolve.ts';
import { examplePathOf, openControl } from '../testing/open-control.ts';
import { calls as functions } from './calls/index.ts';
import { type ControlCall, controlCalls } from './control-contract.ts';

const calls = controlCalls();
const description = readDescription('mock-control.yaml');

test('every described call is answered, and no other', () => {
  const described = calls.map(({ id }) => id).filter((id) => id !== 'sendMessage' && id !== 'stream');
  expect(Object.keys(functions).sort()).toEqual(described.sort());
});

test.each(calls.map(({ id, method, turn }) => [id, method, turn] as const))(
  '%s (%s) says what it needs of a store: %s',
  (_id, method, turn) => {
    expect(method === 'GET' ? ['none', 'read', 'journal'] : ['none', 'change']).toContain(turn);
  },
);

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
    const { status, body } = await make(`${line}?colour=red`, call.body && {});
    expect([status, body.error]).toEqual([
      400,
      expect.stringContaining('there is no query parameter "colour"'),
    ]);
    if (!call.body) return;
    const answer = await make(line, { colour: 'red' });
    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.stringContaining('there is no member "colour"'),
    ]);
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
