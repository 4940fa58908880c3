import { findGap } from '../../../openapi/registers.ts';
import type { Random } from '../../../openapi/testing/random-profile.ts';

const kinds = Object.keys(findGap('errors.codes')?.default as object);

/** Statuses with a body to which HTTP clients do not react themselves. */
const statuses = [
  ...[200, 201, 202, 299, 400, 401, 402, 403, 404, 405, 406, 409, 410, 412, 413, 418, 422, 423, 428, 429],
  ...[451, 460, 499, 500, 501, 502, 503, 504, 520, 599],
];

export function drawStatuses(random: Random): Record<string, number> {
  return forSome(random, () => random.pick(statuses));
}

/** How a deployment may assign its codes. */
export const codeForms = ['as-guessed', 'some', 'small', 'negative', 'long', 'few', 'one'] as const;

export function drawCodes(form: (typeof codeForms)[number], random: Random): unknown {
  const order = random.shuffle(kinds);
  const forAll = (code: (index: number) => number) =>
    Object.fromEntries(order.map((kind, index) => [kind, code(index)]));
  switch (form) {
    case 'as-guessed':
      return findGap('errors.codes')?.default;
    case 'some':
      return forSome(random, () => random.integer(1, 99_999));
    case 'small':
      return forAll((index) => index + 1);
    case 'negative':
      return forAll((index) => -1 - index);
    case 'long':
      return forAll((index) => 2 ** 40 + 1000 * index);
    case 'few':
      return forAll((index) => 40_000 + (index % 3));
    default:
      return forAll(() => -1);
  }
}

function forSome(random: Random, draw: () => number): Record<string, number> {
  const some = random.shuffle(kinds).slice(0, random.integer(1, kinds.length));
  return Object.fromEntries(some.map((kind) => [kind, draw()]));
}
