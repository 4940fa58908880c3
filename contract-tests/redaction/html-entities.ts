// HTML entities by number, and the names for ASCII punctuation and Latin-1.
import { type Escape, hexValue, type TextView } from './text-view.ts';
import { unitsOf } from './utf8.ts';

const [ampersand, hash, semicolon, letterX] = [38, 35, 59, 120];

/** Reads an entity that ends with a semicolon. */
export function readEntity(units: TextView['units'], at: number): Escape | undefined {
  if (units[at] !== ampersand) return undefined;
  if (units[at + 1] !== hash) return readName(units, at);
  const entity = readNumber(units, at);
  return entity && units[at + entity.length - 1] === semicolon ? entity : undefined;
}

/** A percent sign or a backslash may be the next digit in another layer of escapes. */
const unended = ['%', '\\', '…'].map((character) => character.charCodeAt(0));

/** Reads a numeric entity without semicolon, as browsers do. */
export function readOpenEntity(units: TextView['units'], at: number): Escape | undefined {
  if (units[at] !== ampersand || units[at + 1] !== hash) return undefined;
  const entity = readNumber(units, at);
  return entity && unended.includes(units[at + entity.length] ?? 0) ? undefined : entity;
}

function readNumber(units: TextView['units'], at: number): Escape | undefined {
  const isHex = ((units[at + 2] ?? 0) | 32) === letterX;
  const start = at + (isHex ? 3 : 2);
  let [point, end] = [0, start];
  for (; ; end += 1) {
    const digit = hexValue(units[end]);
    if (digit < 0 || (!isHex && digit > 9)) break;
    point = Math.min(point * (isHex ? 16 : 10) + digit, 0x110000);
  }
  if (end === start || point > 0x10ffff) return undefined;
  return { units: unitsOf(point), length: end - at + (units[end] === semicolon ? 1 : 0) };
}

function readName(units: TextView['units'], at: number): Escape | undefined {
  let name = '';
  for (let end = at + 1; end <= at + longestName + 1; end += 1) {
    const unit = units[end];
    if (unit === undefined) return undefined;
    if (unit === semicolon) {
      const value = points.get(name) ?? points.get(name.toLowerCase());
      return value === undefined ? undefined : { units: [value], length: end + 1 - at };
    }
    name += String.fromCharCode(unit);
  }
  return undefined;
}

const punctuation: Readonly<Record<string, string>> = {
  '\t': 'Tab',
  '\n': 'NewLine',
  '!': 'excl',
  '"': 'quot QUOT',
  '#': 'num',
  $: 'dollar',
  '%': 'percnt',
  '&': 'amp AMP',
  "'": 'apos',
  '(': 'lpar',
  ')': 'rpar',
  '*': 'ast midast',
  '+': 'plus',
  ',': 'comma',
  '.': 'period',
  '/': 'sol',
  ':': 'colon',
  ';': 'semi',
  '<': 'lt LT',
  '=': 'equals',
  '>': 'gt GT',
  '?': 'quest',
  '@': 'commat',
  '[': 'lsqb lbrack',
  '\\': 'bsol',
  ']': 'rsqb rbrack',
  '^': 'Hat',
  _: 'lowbar UnderBar',
  '`': 'grave DiacriticalGrave',
  '{': 'lcub lbrace',
  '|': 'verbar vert VerticalLine',
  '}': 'rcub rbrace',
  '-': 'hyphen dash',
  '…': 'hellip mldr',
  '€': 'euro',
};

/** From U+00A0 on. */
const latin1 =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot
cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute
Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde
auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave
uacute ucirc uuml yacute thorn yuml`.split(/\s/);

const points: ReadonlyMap<string, number> = new Map([
  ...latin1.map((name, index) => [name, 0xa0 + index] as const),
  ...Object.entries(punctuation).flatMap(([character, names]) =>
    names.split(' ').map((name) => [name, character.charCodeAt(0)] as const),
  ),
]);

const longestName = Math.max(...[...points.keys()].map((name) => name.length));
