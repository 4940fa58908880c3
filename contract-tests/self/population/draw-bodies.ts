// Draws templates for request bodies and pushes.
import type { Json } from '../../../openapi/json.ts';
import { formatPointer } from '../../../openapi/json-pointer.ts';
import type { Random } from '../../../openapi/testing/random-profile.ts';
import { createNamer, type Namer, type Style } from './draw-names.ts';

interface NamingStyle {
  style: Style;
  random: Random;
}

/** Contains each placeholder once. */
export function drawBody(placeholders: readonly string[], { style, random }: NamingStyle): Json {
  const namer = createNamer(style, random);
  const parts = placeholders.map((placeholder) => [
    namer.name(placeholder),
    nest(write(placeholder, random), namer, random),
  ]);
  const hasMore = placeholders.length === 0 || random.chance(0.25);
  const constant = hasMore ? [[namer.name('constant'), drawConstant(random)]] : [];
  return Object.fromEntries(random.shuffle([...parts, ...constant]));
}

/** Placeholders that must not be part of a longer text. */
const wholeOnly = [
  'fields',
  'source',
  'event',
  'token',
  'page',
  'page_size',
  'offset',
  'limit',
  'cursor',
  'url',
];

function write(placeholder: string, random: Random): string {
  if (wholeOnly.includes(placeholder) || random.chance(0.85)) return `{${placeholder}}`;
  return random.pick([`no. {${placeholder}}`, `({${placeholder}})`, `{${placeholder}}/v1`]);
}

function nest(part: unknown, namer: Namer, random: Random): unknown {
  if (random.chance(0.75)) return part;
  return random.pick([
    { [namer.name('group')]: part },
    { [namer.name('group')]: { [namer.name('group')]: part } },
    [part],
    ['fixed', { [namer.name('group')]: part }],
  ]);
}

function drawConstant(random: Random): unknown {
  return random.pick([1, true, null, '', 'standard', '{not a placeholder}', {}, [], [null, 'fixed'], -0.5]);
}

interface PointerStyle {
  style: Style;
  random: Random;
  /** Common parent of all pointers. */
  root: readonly string[];
}

/** Draws a pointer for each value; none is within another. */
export function drawPointers(
  values: readonly string[],
  { style, random, root }: PointerStyle,
): Record<string, string> {
  const namer = createNamer(style, random);
  const groups = [[], ...Array.from({ length: random.integer(0, 2) }, () => drawGroup(namer, random))];
  return Object.fromEntries(
    values.map((value) => [value, formatPointer([...root, ...random.pick(groups), namer.name(value)])]),
  );
}

/** A group may be the only item of a list. */
function drawGroup(namer: Namer, random: Random): string[] {
  const path = Array.from({ length: random.integer(1, 3) }, () => namer.name('group'));
  return random.chance(0.15) ? [...path, '0'] : path;
}
