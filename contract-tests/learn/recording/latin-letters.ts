// Cyrillic and Greek words as people write them in Latin letters, compared loosely: "Земляника" is "zemlyanika" as well as "zemljanika".

const table =
  'а a б b в v г g ґ g д d ђ dz е e ё e є e ж zh з z и i і i ї i й i ј i к k л l љ l м m н n њ n о o п p р r с s т t ћ ch у u ў u ф f х kh ц ts ч ch џ dz ш sh щ sh ъ . ы i ь . э e ю u я a ' +
  'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ ks ο o π p ρ r σ s ς s τ t υ i φ f χ kh ψ ps ω o';

const letters = new Map(
  [...table.matchAll(/(\S+) (\S+)/g)].map(([, from = '', to = '']) => [from, to === '.' ? '' : to]),
);

/** What several spellings of a sound have in common; `i` and its kin, which one writes and another leaves out, are left out. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/shch|sch|sh/g, 's'],
  [/tch|ch|kh/g, 'h'],
  [/zh/g, 'z'],
  [/ts|tz/g, 'c'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/x/g, 'ks'],
  [/ou/g, 'u'],
  [/w|b/g, 'v'],
  [/dj/g, 'd'],
  [/[ijy]/g, ''],
  [/(.)\1+/g, '$1'],
];

/** Shorter words are alike by chance, in letters. */
const shortest = 5;

/** What is left of a word in Cyrillic, Greek or Latin letters when spellings are put aside; undefined where that is too little. */
export function soundOf(word: string): string | undefined {
  const small = word
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/ου/g, 'u');
  const latin = [...small].map((letter) => letters.get(letter) ?? letter).join('');
  const sound = spellings.reduce((text, [from, to]) => text.replace(from, to), latin.replace(/[^a-z]/g, ''));
  return sound.length < shortest ? undefined : sound;
}

/** Whether a text has letters that are written otherwise in Latin ones. */
export function isCyrillicOrGreek(text: string): boolean {
  return /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(text);
}
