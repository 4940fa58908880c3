// Values that fit a field of the description, though a deployment may seldom see them.
import { type Arbitrary, array, constantFrom, integer, string, tuple } from 'fast-check';
import { word } from './invalid-values.ts';
import { chosen } from './subsets.ts';

const alphanumeric = [...'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Characters that are easily lost on the way; a case shrinks to one of a group and so names it. */
export const rareCharacters: readonly (readonly string[])[] = [
  ['"', '\\', "'", '`'],
  ['<', '>', '&', '%'],
  ['{', '}', '[', ']', '(', ')'],
  ['+', '/', '=', '?', '#'],
  ['@', ':', ';', ',', ' '],
  ['!', '$', '^', '*', '~', '|', '_', '.'],
  ['ä', 'é', 'ñ', 'Я', '更'],
  ['😀', '🔑', '𝔘'],
];

/** The document sets no length for signing secrets: each has 16 to 24 characters. */
export const secrets: readonly Arbitrary<string>[] = [
  ...rareCharacters.map((group) =>
    tuple(plainText(8, 8), chosen(group, group.length), plainText(8, 8)).map(
      ([before, rare, after]) => `${before}${rare.join('')}${after}`,
    ),
  ),
  plainText(16, 24),
  integer({ min: 0, max: 2 ** 31 - 1 }).map((digits) => String(digits).padStart(16, '0')),
];

/** Endings of a receiver's plain address, one arbitrary a kind. Ports and hosts are not varied: a deployment may refuse some of them. */
export const addressEndings: readonly Arbitrary<string>[] = [
  array(word(1, 8), { minLength: 1, maxLength: 6 }).map((parts) => `/${parts.join('/')}`),
  tuple(word(0, 3), constantFrom('%20', '%C3%A4', '%E6%9B%B4', '%2B'), word(0, 3)).map(
    (parts) => `/${parts.join('')}`,
  ),
  tuple(word(1, 6), plainText(0, 12)).map(([name, value]) => `?${name}=${value}`),
  array(tuple(word(1, 6), constantFrom('a', '1', 'x%20y', 'a-b_c.d~e')), { minLength: 2, maxLength: 4 }).map(
    (pairs) => `?${pairs.map((pair) => pair.join('=')).join('&')}`,
  ),
];

function plainText(minLength: number, maxLength: number): Arbitrary<string> {
  return string({ unit: constantFrom(...alphanumeric), minLength, maxLength });
}
