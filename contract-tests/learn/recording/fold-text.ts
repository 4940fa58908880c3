// The letters of a text as other spellings of it have them: "Möwenzähler" is "moevenzaehler" and "mowenzahler", and "Kranich-Wiese" is "kranichwiese".

const asTwo: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  å: 'aa',
};
const always: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** In small letters, of letters and digits alone; each spelling once. */
export function foldText(text: string): string[] {
  const small = text.slice(0, longest).normalize('NFC').toLowerCase();
  return [...new Set([fold(small, { ...always, ...asTwo }), fold(small, always)])];
}

const longest = 200;

function fold(text: string, letters: Readonly<Record<string, string>>): string {
  return [...text]
    .map((letter) => letters[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The words of a name or of a text in any script, as they stand there: of "kranichWiese-7", "kranich", "Wiese" and "7". */
export function splitText(text: string): string[] {
  return (
    text.slice(0, longest).match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{M}]+|\p{N}+/gu) ?? []
  );
}
