// Values that do not fit a field of the description, each wrong in one way only.
import {
  type Arbitrary,
  array,
  boolean,
  constant,
  constantFrom,
  double,
  integer,
  nat,
  oneof,
  record,
  string,
  tuple,
} from 'fast-check';

const lowercase = [...'abcdefghijklmnopqrstuvwxyz'];

/** A word of lower-case letters. */
export function word(minLength: number, maxLength: number): Arbitrary<string> {
  return string({ unit: constantFrom(...lowercase), minLength, maxLength });
}

/** JSON values that are no string, one arbitrary a type. `like` is a valid value, which may be inside an invalid one. */
export function nonStrings(like: unknown): Arbitrary<unknown>[] {
  const scalar = oneof(integer(), boolean(), constant(null), word(0, 5), constant(like));
  return [
    oneof(integer(), double({ noDefaultInfinity: true, noNaN: true })),
    constant(true),
    constant(false),
    oneof(constant([like]), array(scalar, { maxLength: 3 })),
    oneof(
      constantFrom({}, { $ne: '' }, { $gt: '' }, { value: like }),
      word(1, 5).map((member) => ({ [member]: like })),
    ),
  ];
}

/** Words that are none of the names, one arbitrary a kind of mistake; those that resemble a name come first. */
export function unknownNames(names: readonly string[]): Arbitrary<string>[] {
  const name = constantFrom(...names);
  const cut = tuple(name, nat()).map(([text, at]) => text.slice(0, 1 + (at % (text.length - 1))));
  const longer = tuple(name, constantFrom('s', 'd', '1', '_', '-', '.'), word(0, 3)).map((parts) =>
    parts.join(''),
  );
  const inCase = tuple(name, nat()).map(([text, at]) => raiseOne(text, at));
  const joined = tuple(name, constantFrom(',', ';', '|', '.', '/'), name).map((parts) => parts.join(''));
  const changed = record({ name, at: nat(), letter: constantFrom(...lowercase) }).map((one) =>
    one.name.replace(/\w/g, (own, index) => (index === one.at % one.name.length ? one.letter : own)),
  );
  const kinds = [cut, longer, inCase, name.map((text) => text.toUpperCase()), joined, changed, word(1, 12)];
  return kinds.map((kind) => kind.filter((text) => !names.includes(text)));
}

/** Texts that can't be a URL: none has a colon after a word, which would make it a scheme. */
export const invalidUrls: readonly Arbitrary<string>[] = [
  tuple(word(1, 8), constantFrom('example', 'test', 'invalid'), word(0, 6)).map(
    ([host, top, path]) => `${host}.${top}/${path}`,
  ),
  array(word(1, 6), { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join('/')}`),
  tuple(word(1, 8), word(1, 8)).map((parts) => parts.join(' ')),
  tuple(constantFrom('http', 'https'), constantFrom('//', '/'), word(1, 8)).map(
    ([scheme, gap, host]) => `${scheme}${gap}${host}.example`,
  ),
  tuple(constantFrom('./', '../', '?', '#'), word(0, 8)).map((parts) => parts.join('')),
  tuple(constantFrom('://', ':///', ':'), word(1, 8)).map(([gap, host]) => `${gap}${host}.example`),
  word(1, 12),
];

/** One letter in upper case. */
function raiseOne(text: string, at: number): string {
  const index = at % text.length;
  const raised = text.slice(0, index) + text.charAt(index).toUpperCase() + text.slice(index + 1);
  return raised === text ? raiseOne(text, index + 1) : raised;
}
