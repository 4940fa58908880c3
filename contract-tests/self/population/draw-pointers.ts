// Where the values of one answer stand: apart from one another, some of them deep inside.
import { formatPointer } from '../../../openapi/json-pointer.ts';
import type { Random } from '../../../openapi/random-profile.ts';
import { createNamer, type Namer, type Style } from './draw-names.ts';

interface Sheet {
  style: Style;
  random: Random;
  /** Under which all of them stand. */
  root: readonly string[];
}

/** A pointer for each value; none is within another one. */
export function drawPointers(
  values: readonly string[],
  { style, random, root }: Sheet,
): Record<string, string> {
  const namer = createNamer(style, random);
  const groups = [[], ...Array.from({ length: random.integer(0, 2) }, () => drawGroup(namer, random))];
  return Object.fromEntries(
    values.map((value) => [value, formatPointer([...root, ...random.pick(groups), namer.name(value)])]),
  );
}

/** Some groups are the one item of a list. */
function drawGroup(namer: Namer, random: Random): string[] {
  const path = Array.from({ length: random.integer(1, 3) }, () => namer.name('group'));
  return random.chance(0.15) ? [...path, '0'] : path;
}
