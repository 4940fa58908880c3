// The forms in which a secret may appear in a text, as regular expressions.

/** A pattern for one character in all its forms. */
type Atom = string;

/** Fewer characters of a secret reveal nothing. */
const shortest = 4;

/** Of a longer secret only this many characters are compared; what follows without a space counts as the rest. */
const longest = 500;

const unspaced = '[^\\s…]*';

/** Finds a secret as it is, escaped in JSON, HTML or XML, percent- or form-encoded (once or more), and in base64. */
export function secretPattern(value: string): RegExp {
  const forms = formsOfSecret(value).map(patternOf);
  return new RegExp(value.length < shortest ? asWord(forms) : forms.join('|'), 'gu');
}

/** A secret of one to three letters is part of many words; hiding it there would only reveal it. */
function asWord(forms: readonly string[]): string {
  return `(?<![\\p{L}\\p{N}])(?:${forms.join('|')})(?![\\p{L}\\p{N}])`;
}

/** Finds the beginning of a secret that was cut off before "…". */
export function beginningPattern(value: string): RegExp {
  const forms = formsOfSecret(value)
    .filter((atoms) => atoms.length > shortest)
    .map(beginningOf);
  return forms.length === 0 ? /(?!)/gu : new RegExp(`(?:${forms.join('|')})(?=…)`, 'gu');
}

/** Reads a little more than is compared, to know whether the secret is longer. */
function formsOfSecret(value: string): Atom[][] {
  const enough = value.slice(0, 2 * longest + 1);
  return [atomsOf(enough), ...base64Forms(enough)];
}

function patternOf(atoms: readonly Atom[]): string {
  return atoms.length <= longest ? atoms.join('') : `${atoms.slice(0, longest).join('')}${unspaced}`;
}

/** The cut may have split an escape, or a character of two UTF-16 units. */
const partOfEscape = "(?:[%&\\\\'][#;%'\\\\\\w]{0,24}|[\\u{D800}-\\u{DBFF}])?";

function beginningOf(atoms: readonly Atom[]): string {
  const further = atoms.slice(shortest, longest);
  const rest = atoms.length > longest ? unspaced : '';
  return `${atoms.slice(0, shortest).join('')}${further.reduceRight((all, atom) => `(?:${atom}${all})?`, rest)}${partOfEscape}`;
}

/** A run of backslashes is one atom: every layer of JSON doubles it. */
function atomsOf(value: string): Atom[] {
  return (value.match(/\\+|[^\\]/gsu) ?? []).map((part) =>
    part.startsWith('\\') ? `(?:${formsOf('\\').join('|')})+` : atomOf(part),
  );
}

/** Nobody encodes letters and digits of ASCII. */
function atomOf(character: string): Atom {
  return /[A-Za-z0-9]/.test(character) ? character : `(?:${formsOf(character).join('|')})`;
}

/** Of an escape in JSON, which may be percent-encoded in its turn. */
const backslash = '(?:\\\\|%(?:25)*5[cC])';

function formsOf(character: string): string[] {
  const named = names[character];
  const point = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return [
    `${backslash}*${literal(character)}`,
    units.map((unit) => `${backslash}+u${hex(unit, 4)}`).join(''),
    `${backslash}*${[...Buffer.from(character)].map((byte) => `%(?:25)*${hex(byte, 2)}`).join('')}`,
    `&(?:amp;)*#(?:0*${point}|[xX]0*${hex(point, 1)});`,
    ...(named === undefined ? [] : [`&(?:amp;)*${named};`]),
    ...(shortForms[character] ?? []),
  ];
}

const names: Readonly<Record<string, string>> = {
  '"': 'quot',
  "'": 'apos',
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  ' ': 'nbsp',
};

/** Escapes of single characters: in JSON, of a space in forms, of an apostrophe in a shell. */
const shortForms: Readonly<Record<string, readonly string[]>> = {
  '\n': [`${backslash}+n`],
  '\r': [`${backslash}+r`],
  '\t': [`${backslash}+t`],
  '\b': [`${backslash}+b`],
  '\f': [`${backslash}+f`],
  ' ': ['\\+'],
  "'": ["'\\\\''"],
};

function literal(character: string): string {
  return character.replace(/[$()*+./?[\\\]^{|}]/, '\\$&');
}

function hex(number: number, digits: number): string {
  return number
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

const anyBase64 = '[A-Za-z0-9+/_-]?';

/** Preceding bytes shift the bits of a secret in base64: in three ways, each sharing its outermost characters with other bytes. */
function base64Forms(value: string): Atom[][] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
    const end = Math.floor((bytes.length * 8) / 6);
    const own = bytes.toString('base64').slice(Math.ceil((before * 8) / 6), end);
    if (own.length < shortest) return [];
    const shared = (bytes.length * 8) % 6 === 0 ? [] : [`${anyBase64}(?:=|%3[dD]){0,2}`];
    return [[...(before === 0 ? [] : [anyBase64]), ...[...own].map(base64Atom), ...shared]];
  });
}

/** The URL-safe alphabet replaces two of the characters. */
function base64Atom(character: string): Atom {
  if (character === '+') return `(?:-|${atomOf('+')})`;
  return character === '/' ? `(?:_|${atomOf('/')})` : character;
}
