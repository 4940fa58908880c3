// Draws profiles over the whole space of gaps, for tests. The same seed gives the same profile.
import { drawWord } from '../draw-word.ts';
import type { Json } from '../json.ts';
import { formatPointer } from '../json-pointer.ts';
import { makeProfile, type Profile, ProfileError } from '../profile.ts';
import { type Gap, gaps } from '../registers.ts';

/** States about half of the gaps. */
export function randomProfile(seed: number): Profile {
  const random = createRandom(seed);
  const origin = { name: `random-${seed}`, source: `random-${seed}.yaml` };
  let profile = makeProfile({}, origin);
  let stated = {};
  for (const gap of random.shuffle(gaps)) {
    if (random.chance(0.4)) continue;
    const value = { ...stated, [gap.id]: randomValue(gap, random) };
    try {
      profile = makeProfile(value, origin);
      stated = value;
    } catch (error) {
      // Omit a value that contradicts another one.
      const problems = error instanceof ProfileError ? error.problems : [''];
      if (!problems.every((problem) => contradiction.test(problem))) throw error;
    }
  }
  return profile;
}

const contradiction =
  /both name|overlap|field of the envelope|expects a list|both called|is done by|without its site/;

export type Random = ReturnType<typeof createRandom>;

/** Draws values from a seed. */
export function createRandom(seed: number) {
  const source = { random: seed };
  const next = () => drawWord(source) / 2 ** 32;
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    integer,
    chance: (probability: number) => next() < probability,
    pick: <T>(from: readonly T[]) => from[integer(0, from.length - 1)] as T,
    shuffle: <T>(all: readonly T[]) =>
      all
        .map((item) => ({ item, order: next() }))
        .sort((one, other) => one.order - other.order)
        .map(({ item }) => item),
  };
}

const names = [
  ...['id', 'url', 'events', 'channel', 'token', 'a/b', 'm~n', '__proto__', 'constructor', '0'],
  ...['x y', '字段'],
];
/** Values for gaps whose schema does not list them, or lists too many. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  'hook-test.event': ['subscribed', 'subscribed-in-document-order', 'publish.complete', 'webhook.test'],
  'webhook.timestamp-offset': ['Z', '+08:00', '-03:30'],
  'idempotency.key-header': ['Idempotency-Key', 'X-Request-Key'],
  'login.lock-out': ['none', { after: 20, seconds: 90 }],
  'limits.lock': ['none', 61, 120],
  'subscription.quota': ['none', 10, 20],
  'webhook.latency': [0, 1, 2],
  'webhook.retry-delay': [0, 5, 20],
  'publish.duration': [0, 1, 3],
};

function randomValue(gap: Gap, random: Random): unknown {
  switch (gap.kind) {
    case 'field':
      // Ajv ignores a property of the name __proto__.
      return random.pick(names.filter((name) => name !== '__proto__'));
    case 'pointer':
      return String(gap.schema.pattern).includes('absent') && random.chance(0.3) ? 'absent' : pointer(random);
    case 'status':
      return random.pick([200, 201, 202, 299]);
    case 'template':
      return gap.schema.oneOf && random.chance(0.4) ? 'none' : body(gap.placeholders ?? [], random);
    case 'errors':
      return errors(gap, random);
    case 'operation':
      return random.chance(0.15) ? random.pick(['unknown', 'not-offered']) : call(gap, random);
    default:
      return gap.schema.enum
        ? random.pick(gap.schema.enum as unknown[])
        : random.pick(
            samples[gap.id] ?? [random.integer(Number(gap.schema.minimum), Number(gap.schema.maximum))],
          );
  }
}

function pointer(random: Random, root = random.chance(0.85) ? '/data' : ''): string {
  const segments = Array.from({ length: random.integer(1, 3) }, () =>
    random.pick(random.chance(0.5) ? names : ['x1', 'x2', 'x3', 'x4', 'x5', 'x6']),
  );
  return root + formatPointer(segments);
}

function body(placeholders: readonly string[], random: Random): Json {
  const constants = [1, true, null, '', 'fixed', '{not a placeholder}', {}, [], [null, 'fixed']];
  const parts = [...placeholders.map((name) => place(name, random)), random.pick(constants)];
  const keys = random.shuffle(names);
  const entries = parts.map((part, index) => [
    keys[index] ?? '',
    random.chance(0.3) ? nest(part, random) : part,
  ]);
  return Object.fromEntries(random.shuffle(entries));
}

/** Placeholders for objects and URLs must be a whole string, because a longer text would change their value. */
function place(name: string, random: Random): string {
  const isAlone = ['fields', 'source', 'event'].includes(name);
  return isAlone || random.chance(0.7)
    ? `{${name}}`
    : random.pick([`no. {${name}}`, `({${name}})`, `{${name}}/{${name}}`]);
}

function nest(part: unknown, random: Random): unknown {
  return random.pick([{ [random.pick(names)]: part }, [part], ['fixed', { inner: part }]]);
}

function errors({ id, schema, default: guess }: Gap, random: Random): unknown {
  if (schema.enum) return random.pick(schema.enum as unknown[]);
  if (id === 'errors.http-status' && random.chance(0.5)) return random.pick(['conventional', 'always-200']);
  const properties = (schema.properties ?? (schema.oneOf as Json[])[1]?.properties) as object;
  const kinds = random.shuffle(Object.keys(properties)).slice(random.integer(0, 18));
  const value = () =>
    id === 'errors.codes'
      ? random.pick([-1, 1, 40001, 2 ** 31])
      : random.pick([200, 201, 400, 403, 422, 500]);
  return kinds.length === 0 ? guess : Object.fromEntries(kinds.map((kind) => [kind, value()]));
}

function call(
  { id, placeholders = [], query: ofPages = [], by = [], reads = [] }: Gap,
  random: Random,
): Json {
  if (by.length > 0 && random.chance(0.3)) return { by: random.pick(by) };
  const plain = placeholders.filter((name) => name !== 'fields');
  const inPath = plain.filter(() => random.chance(0.5));
  const ends = [`/${id.slice('operation.'.length)}`, '/tenant/sites', '/a.b:c'];
  const paging = ofPages.length > 0 && random.chance(0.6) ? random.pick(pagings) : [];
  const inQuery = [...plain.filter(() => random.chance(0.15)), ...(random.chance(0.6) ? paging : [])];
  const shown = reads.filter((read) => (read === 'next' ? inQuery.includes('cursor') : random.chance(0.8)));
  const constant = random.chance(0.2)
    ? `?${random.pick(['kind', 'x%20y'])}=${random.pick(['all', '1', ''])}`
    : '';
  return {
    method: random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: random.pick(ends) + inPath.map((name) => `/{${name}}`).join('/x') + constant,
    ...(random.chance(0.5) && { auth: random.pick(['bearer', 'none', 'session', 'api-key']) }),
    ...(random.chance(0.5) && { status: random.pick([200, 201, 202]) }),
    ...(random.chance(0.6) && { body: body(placeholders, random) }),
    ...(inQuery.length > 0 && { query: parameters(inQuery, random) }),
    ...Object.fromEntries(
      shown.map((read) => [read, pointer(random, read.startsWith('item.') ? '' : undefined)]),
    ),
  };
}

/** The ways to request pages of a list. */
const pagings = [['page'], ['page', 'page_size'], ['offset', 'limit'], ['cursor', 'limit'], ['limit']];

function parameters(placeholders: readonly string[], random: Random): Json {
  const keys = random.shuffle(names.filter((name) => name !== 'x y'));
  const textFor = (name: string) =>
    pagings.flat().includes(name) || random.chance(0.8) ? `{${name}}` : `no. {${name}}`;
  return Object.fromEntries(placeholders.map((name, index) => [keys[index] ?? '', textFor(name)]));
}
