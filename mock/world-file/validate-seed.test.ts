import { expect, test } from 'vitest';
import { getAt } from '../../openapi/json-pointer.ts';
import { readDescription } from '../../openapi/resolve.ts';
import { checkWorldSeed, WorldFileError } from './validate-seed.ts';

const noJson =
  "the world: it can't be written as JSON; give plain objects, lists, texts, numbers, true and false";
const cycle: Record<string, unknown> = {};
cycle.tenants = cycle;
const siteWithId = (id: unknown) => ({ tenants: [{ name: 'A', sites: [{ id, name: 'S' }] }] });
const noId =
  'tenants[0].sites[0].id: expected a whole number from 1 to 9223372036854775807 (in code, a bigint above 9007199254740991)';

test.for<[string, unknown, string]>([
  ['undefined', undefined, noJson],
  ['a cycle', cycle, noJson],
  [
    'a bigint that is no identifier',
    { tenants: [{ name: 1n }] },
    'the world: tenants[0].name: expected a text of at least one character; it is 1; put it in quotes',
  ],
  ['an identifier that was rounded', siteWithId(2 ** 60), `the world: ${noId}; it is 1152921504606847000`],
  [
    'a date',
    { tenants: [{ name: 'A', sites: [{ name: 'S', version: new Date(0) }] }] },
    'the world: tenants[0].sites[0].version: expected a whole number from 0 to 1000000000; it is "1970-01-01T00:00:00.000Z"',
  ],
  ['a long text', siteWithId('x'.repeat(1e6)), `the world: ${noId}; it is "${'x'.repeat(59)}…`],
  [
    'a camel-case name',
    { tenants: [{ name: 'A', apiKeys: [] }] },
    'the world: tenants[0]: there is no member "apiKeys"; did you mean "api_keys"? (known: name, users, api_keys, sites)',
  ],
])('refuses %s', ([, value, want]) => {
  expect(() => checkWorldSeed(value, 'the world')).toThrow(new WorldFileError(want.split('\n')));
});

test('returns a copy, without undefined members', () => {
  const given = { tenants: [{ name: 'A', users: undefined, sites: [{ name: 'S' }] }] };
  const seed = checkWorldSeed(given, 'the world');
  expect(seed).toStrictEqual({ tenants: [{ name: 'A', sites: [{ name: 'S' }] }] });
  given.tenants = [];
  expect(seed.tenants).toHaveLength(1);
});

test('the error has all mistakes, though its message has only ten', () => {
  const problems = Array.from({ length: 12 }, (_, index) => `${index}`);
  const error = new WorldFileError(problems);
  expect([error.problems, error.message.split('\n').slice(9)]).toEqual([problems, ['9', 'and 2 more']]);
});

test('accepts every event and channel of the contract', () => {
  const description = readDescription('site-publishing.yaml');
  const [events, channels] = ['EventName', 'Channel'].map(
    (name) => getAt(description, `/components/schemas/${name}/enum`) as string[],
  );
  const subscriptions = channels?.map((channel) => ({ url: 'https://x.example', events, channel }));
  const seed = { tenants: [{ name: 'A', sites: [{ name: 'S', subscriptions }] }] };
  expect(checkWorldSeed(seed, 'the world')).toEqual(seed);
});
