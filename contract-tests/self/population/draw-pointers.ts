// Draws the places of the values in an answer: all different, some of them nested deeply.
import { formatPointer } from '../../../openapi/json-pointer.ts';
import type { Random } from '../../../openapi/testing/random-profile.ts';
import { createNamer, type Namer, type Style } from './draw-names.ts';

interface PointerStyle {
  style: Style;
  random: Random;
  /** The path above all of them. */
  root: readonly string[];
}

/** A pointer for each value; none is inside another. */
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

/** Some groups are the only item of a list. */
function drawGroup(namer: Namer, random: Random): string[] {
  const path = Array.from({ length: random.integer(1, 3) }, () => namer.name('group'));
  return random.chance(0.15) ? [...path, '0'] : path;
}
