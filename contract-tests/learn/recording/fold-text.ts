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
