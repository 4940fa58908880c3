// Draws bodies of requests and pushes: templates with placeholders in various places.
import type { Json } from '../../../openapi/json.ts';
import type { Random } from '../../../openapi/testing/random-profile.ts';
import { createNamer, type Namer, type Style } from './draw-names.ts';

interface NamingStyle {
  style: Style;
  random: Random;
}

/** A template that holds every placeholder once. */
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

/** Placeholders whose value is not a text, or a text that must not have anything around it. */
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
