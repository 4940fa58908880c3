import type { Json } from '../../openapi/json.ts';
import { isObject } from '../../openapi/json.ts';
import { drawBetween } from '../world/random.ts';
import type { Source, Variation, VariationContext } from './variation.ts';

const names = [
  'request_id',
  'server_time',
  'tookMs',
  'region',
  '_links',
  'meta',
  'debug',
  'deprecated',
  'schema_version',
  'x-note',
  '备注',
];
const values: readonly unknown[] = [
  null,
  true,
  0,
  -1.5,
  1767294245000,
  '',
  'näher / 更多',
  '0b5e9d3c-52f1-4a57-8a0a-6f4f3f1f7c11',
  [],
  [1, 'two', null],
  {},
  { nested: { deep: true } },
];

/** Unknown members stand in the envelope, in `data`, in the items of lists and in custom push bodies; nowhere in what a caller has sent. */
export const extraFields: Variation = {
  id: 'extra-fields',
  title: 'Answers and custom push bodies have members that nobody knows.',
  envelope: (envelope, given) => extend(widenAnswer(envelope, given), given, given.name),
  customBody: (body, given) => extend(widenData(body, given), given, given.name),
};

/** What a failure has as data, if anything, is the profile's matter. */
function widenAnswer(envelope: Json, given: VariationContext): Json {
  if (envelope.code !== 0) return envelope;
  const widened = Object.entries(envelope).map(([name, part]) => [name, widenItems(part, given)]);
  return widenData(Object.fromEntries(widened), given);
}

function widenData(body: Json, given: VariationContext): Json {
  const { data } = body;
  // By what it holds, so that a write that is repeated has the same result again.
  return isObject(data) ? { ...body, data: extend(data, given, JSON.stringify(data)) } : body;
}

function widenItems(value: unknown, given: VariationContext): unknown {
  if (Array.isArray(value)) return value.map((item) => widenItem(widenItems(item, given), given));
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, widenItems(part, given)]);
  return Object.fromEntries(parts);
}

function widenItem(item: unknown, given: VariationContext): unknown {
  return isObject(item) ? extend(item, given, JSON.stringify(item)) : item;
}

/** One to three members more. */
function extend(object: Json, { reserved: taken, draw }: VariationContext, text: string): Json {
  const source = draw(text);
  const extended = { ...object };
  for (let count = drawBetween(source, 1, 3); count > 0; count--) {
    const name = freshName(
      pick(names, source) ?? '',
      (one) => taken.has(one) || Object.hasOwn(extended, one),
    );
    extended[name] = pick(values, source);
  }
  return extended;
}

function freshName(name: string, isTaken: (name: string) => boolean): string {
  return isTaken(name) ? freshName(`${name}_`, isTaken) : name;
}

function pick<T>(from: readonly T[], source: Source): T | undefined {
  return from[drawBetween(source, 0, from.length - 1)];
}
