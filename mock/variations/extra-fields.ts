import { isObject, type Json } from '../../openapi/json.ts';
import { drawBetween, type Source } from '../world/random.ts';
import type { Variation, VariationContext } from './variation.ts';

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

/** Adds unknown members to the envelope, to `data`, to the items of lists and to custom push bodies, but not to what a caller sent. */
export const extraFields: Variation = {
  id: 'extra-fields',
  title: 'Answers and custom push bodies have unknown members.',
  envelope: (envelope, context) => addFields(widenAnswer(envelope, context), context, context.name),
  customBody: (body, context) => addFields(widenData(body, context), context, context.name),
};

/** Leaves the data of a failure unchanged, since the profile defines it. */
function widenAnswer(envelope: Json, context: VariationContext): Json {
  if (envelope.code !== 0) return envelope;
  const widened = Object.entries(envelope).map(([name, part]) => [name, widenItems(part, context)]);
  return widenData(Object.fromEntries(widened), context);
}

function widenData(body: Json, context: VariationContext): Json {
  const { data } = body;
  // Named by its content, so that a repeated write has the same result.
  return isObject(data) ? { ...body, data: addFields(data, context, JSON.stringify(data)) } : body;
}

function widenItems(value: unknown, context: VariationContext): unknown {
  if (Array.isArray(value)) return value.map((item) => widenItem(widenItems(item, context), context));
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, widenItems(part, context)]);
  return Object.fromEntries(parts);
}

function widenItem(item: unknown, context: VariationContext): unknown {
  return isObject(item) ? addFields(item, context, JSON.stringify(item)) : item;
}

/** Adds one to three members. */
function addFields(object: Json, { reserved, draw }: VariationContext, text: string): Json {
  const source = draw(text);
  const extended = { ...object };
  for (let count = drawBetween(source, 1, 3); count > 0; count--) {
    let name = pick(names, source) ?? '';
    while (reserved.has(name) || Object.hasOwn(extended, name)) name += '_';
    extended[name] = pick(values, source);
  }
  return extended;
}

function pick<T>(from: readonly T[], source: Source): T | undefined {
  return from[drawBetween(source, 0, from.length - 1)];
}
