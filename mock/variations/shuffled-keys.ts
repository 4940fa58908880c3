import { isObject, type Json } from '../../openapi/json.ts';
import { drawBetween, type Source } from '../world/random.ts';
import type { Variation, VariationContext } from './variation.ts';

/** Shuffles the members of objects, which have no order, but not the items of arrays. */
export const shuffledKeys: Variation = {
  id: 'shuffled-keys',
  title: 'The members of objects come in any order, in answers and in pushes.',
  envelope: shuffle,
  customBody: shuffle,
  robotBody: shuffle,
};

function shuffle(body: Json, { name, draw }: VariationContext): Json {
  return shuffleObject(body, draw(name));
}

function shuffleObject(object: Json, source: Source): Json {
  const members = Object.entries(object).map(([name, part]) => [name, shufflePart(part, source)] as const);
  for (let end = members.length - 1; end > 0; end--) {
    const [chosen] = members.splice(drawBetween(source, 0, end), 1);
    if (chosen) members.push(chosen);
  }
  return Object.fromEntries(members);
}

function shufflePart(part: unknown, source: Source): unknown {
  if (Array.isArray(part)) return part.map((item) => shufflePart(item, source));
  return isObject(part) ? shuffleObject(part, source) : part;
}
