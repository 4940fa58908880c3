// The kinds of generated creations. Each varies one thing; all else is as in the plainest subscription.
import { type Arbitrary, constant, constantFrom, nat, oneof, tuple } from 'fast-check';
import { writeJson } from '../../core/parse-json.ts';
import { type BodyFields, type Field, findField } from './body-fields.ts';
import { invalidUrls, nonStrings, unknownNames, word } from './invalid-values.ts';
import { chosen, chosenDescending } from './subsets.ts';
import type { CreationCase } from './try-creations.ts';
import { addressEndings, secrets } from './valid-values.ts';

/** Lists of events of each length, in any order, and one in the reverse order of the document. */
export function validEvents(body: BodyFields): Arbitrary<CreationCase>[] {
  const { names } = findField(body, 'events');
  const kinds = [...lengths(names).map((size) => chosen(names, size)), chosenDescending(names, names.length)];
  return kinds.map((kind) => kind.map((events) => withValues({ events })));
}

/** Lists of events of each length on each chat channel. */
export function validEventsOnChat(body: BodyFields): Arbitrary<CreationCase>[] {
  const { names } = findField(body, 'events');
  const others = findField(body, 'channel').names.filter((channel) => channel !== 'custom');
  return lengths(names).flatMap((size) =>
    others.map((channel) => chosen(names, size).map((events) => withValues({ channel, events }))),
  );
}

/** Secrets with rare characters, and plain ones on each channel. */
export function validSecrets(body: BodyFields): Arbitrary<CreationCase>[] {
  const { names } = findField(body, 'channel');
  const kinds = secrets.map((kind) => kind.map((secret) => withValues({ secret })));
  const plain = secrets.at(-2) ?? constant('');
  return [
    ...kinds,
    tuple(plain, constantFrom(...names)).map(([secret, channel]) => withValues({ secret, channel })),
  ];
}

/** The plain address with something added at its end. */
export const validAddresses: readonly Arbitrary<CreationCase>[] = addressEndings.map((kind) =>
  kind.map((ending) => ({ what: `a receiving URL that ends in ${JSON.stringify(ending)}`, ending })),
);

/** The same members in each other order. */
export function memberOrders({ fields }: BodyFields): Arbitrary<CreationCase>[] {
  const members = fields.filter(({ isRequired }) => isRequired).map(({ member }) => member);
  return permutationsOf(members)
    .slice(1)
    .map((order) =>
      constant({
        what: `its members in the order ${order.join(', ')}`,
        arrange: (body) => inOrder(body, order),
      }),
    );
}

/** Unknown members before, between and behind the others. */
export const unknownMembers: readonly Arbitrary<CreationCase>[] = [
  constant(''),
  ...nonStrings('custom'),
  constant(null),
].map((value) =>
  tuple(word(1, 8), nat(4), value).map(([name, at, unknown]) => {
    const member = `x-sitepub-${name}`;
    return {
      what: `an unknown member ${JSON.stringify({ [member]: unknown })}`,
      arrange: (body) => Object.fromEntries(Object.entries(Object(body)).toSpliced(at, 0, [member, unknown])),
    };
  }),
);

/** Values that are none of the four channels. */
export function invalidChannels(body: BodyFields): Arbitrary<CreationCase>[] {
  const kinds = [...unknownNames(findField(body, 'channel').names), ...nonStrings('custom')];
  return kinds.map((kind: Arbitrary<unknown>) => kind.map((channel) => withValues({ channel })));
}

/** Values that are none of the seven events: alone, and among up to all valid ones. */
export function invalidEvents(body: BodyFields): Arbitrary<CreationCase>[] {
  const { names } = findField(body, 'events');
  const kinds = [...unknownNames(names), ...nonStrings(names[0]), constant(null)];
  return kinds.map((kind: Arbitrary<unknown>, index) =>
    tuple(kind, nat(names.length)).map(([event, at]) => {
      const beside = names.slice(0, index % (names.length + 1));
      return withValues({ events: beside.toSpliced(at, 0, event as string) });
    }),
  );
}

/** Receiving URLs that are no URLs. */
export const invalidAddresses: readonly Arbitrary<CreationCase>[] = [
  ...invalidUrls,
  ...nonStrings('https://hooks.example.com/x'),
].map((kind: Arbitrary<unknown>) => kind.map((url) => withValues({ url })));

/** Creations without some of the required members, or with null in their place, and bodies without any members. */
export function missingMembers({ fields }: BodyFields): Arbitrary<CreationCase>[] {
  const required = fields.filter(({ isRequired }) => isRequired);
  const missing = subsetsOf(required).map((some) => without(some, undefined));
  const bodies: [string, (body: unknown) => unknown][] = [
    ['a list around the whole body', (body) => [body]],
    ['an empty list as body', () => []],
    ['null as body', () => null],
    ['its JSON inside a string as body', (body) => JSON.stringify(body)],
  ];
  return [
    ...missing,
    ...required.map((field) => without([field], null)),
    ...bodies.map(([what, arrange]) => constant({ what, arrange })),
  ];
}

/** Sites that do not exist: unused numbers, and texts that resemble the identifier of the tenant's own site. */
export function unknownSites(siteId: unknown): Arbitrary<CreationCase>[] {
  return unknownIds(siteId).map((kind) =>
    kind.map((siteID) => ({ what: `the unknown site ${siteID}`, siteID })),
  );
}

/** Identifiers that name nothing: unused numbers, and texts that resemble an identifier. */
export function unknownIds(id: unknown): Arbitrary<string>[] {
  const far = nat(147_000_000).map((number) => String(2_000_000_000 + number));
  if (!/^\d+$/.test(String(id))) return [far, ...unknownTextIds(String(id))];
  const number = String(id);
  return [
    far,
    oneof(constant(`${number}e0`), constant(`${number}E0`)),
    constant(`0x${BigInt(number).toString(16)}`),
    word(1, 3).map((tail) => `${number}${tail}`),
    constantFrom('.5', '.25', ',5').map((tail) => `${number}${tail}`),
    constant(`-${number}`),
    word(1, 8),
  ];
}

/** Only identifiers that can't belong to something else: a deployment may count short texts up. */
function unknownTextIds(id: string): Arbitrary<string>[] {
  const digit = constantFrom(...'0123456789abcdef');
  const digits = tuple(...Array.from({ length: 8 }, () => digit)).map((some) => some.join(''));
  const isUuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id);
  const like = digits.map((some) => `${id.slice(0, -8)}${some}`);
  const others = [like, digits.map((some) => `${id}${some}`), ...(isUuid ? [] : [digits])];
  return others.map((kind) => kind.filter((other) => other !== id));
}

function without(some: readonly Field[], value: null | undefined): Arbitrary<CreationCase> {
  const names = some.map(({ name }) => name);
  return constant({
    what: value === null ? `null as ${names.join()}` : `no ${names.join(' and no ')}`,
    values: Object.fromEntries(names.map((name) => [name, value])),
  });
}

function withValues(values: Readonly<Record<string, unknown>>): CreationCase {
  const parts = Object.entries(values).map(([name, value]) => `the ${name} ${writeJson(value)}`);
  return { what: parts.join(' and '), values };
}

function inOrder(body: unknown, order: readonly string[]): unknown {
  const members = Object.entries(Object(body));
  const rank = ([name]: [string, unknown]) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.fromEntries(members.toSorted((one, other) => rank(one) - rank(other)));
}

function lengths(names: readonly string[]): number[] {
  return names.map((_, index) => index + 1);
}

function subsetsOf<T>(items: readonly T[]): T[][] {
  const [first, ...rest] = items;
  if (first === undefined) return [];
  const others = subsetsOf(rest);
  return [[first], ...others, ...others.map((some) => [first, ...some])];
}

/** The given order comes first. */
function permutationsOf<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutationsOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
