// Texts of whatever characters there are.
import fc from 'fast-check';

/** One code point, half of a surrogate pair included; fast-check's own `binary` takes 0.8 s of CPU to set up, in each thread. */
const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

export const anyCharacters = (limits: { maxLength?: number } = {}) =>
  fc.string({ unit: codePoint, ...limits });
