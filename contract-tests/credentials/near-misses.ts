// Texts that differ slightly from a real token, key or password.

/** A text with a single error; `how` completes "a token …". */
interface NearMiss {
  how: string;
  text: string;
}

const tail = 4;

/**
 * Texts that differ slightly from a token. Four characters at a time, for the last one of a Base64 text may carry no bits; and in other
 * case only where the token has letters of both, for the case of hexadecimal digits and Base32 has no meaning.
 */
export function nearMissTokens(token: string): NearMiss[] {
  const prefix = /^[a-z]{2,4}_/.exec(token)?.[0] ?? '';
  const secret = token.slice(prefix.length);
  const middle = placeToChange(secret);
  const all = [
    { how: `without its last ${tail} characters`, text: secret.slice(0, -tail) },
    { how: `with ${tail} more characters`, text: secret + secret.slice(0, tail) },
    {
      how: `with other characters in its last ${tail} places`,
      text: secret.slice(0, -tail) + [...secret.slice(-tail)].map(another).join(''),
    },
    {
      how: 'with another character in the middle',
      text: secret.slice(0, middle) + another(secret.charAt(middle)) + secret.slice(middle + 1),
    },
    ...(/[a-z]/.test(secret) && /[A-Z]/.test(secret)
      ? [{ how: 'in swapped case', text: swapCase(secret) }]
      : []),
  ];
  return all
    .filter(({ text }) => text !== secret && text !== '')
    .map(({ how, text }) => ({ how, text: prefix + text }));
}

/** The letters of a text in the other case. */
export function swapCase(text: string): string {
  return [...text]
    .map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()))
    .join('');
}

/** The place of the letter or digit nearest to the middle. */
function placeToChange(text: string): number {
  const half = text.length / 2;
  const places = Array.from({ length: text.length }, (_, place) => place).filter((place) =>
    /[a-z0-9]/i.test(text.charAt(place)),
  );
  return places.toSorted((one, other) => Math.abs(one - half) - Math.abs(other - half))[0] ?? 0;
}

/** Another character of the same kind. */
function another(char: string): string {
  if (/\d/.test(char)) return char === '0' ? '1' : '0';
  if (/[a-z]/.test(char)) return char === 'a' ? 'b' : 'a';
  if (/[A-Z]/.test(char)) return char === 'A' ? 'B' : 'A';
  return char;
}
