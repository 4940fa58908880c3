// What the texts of a body hold besides themselves: JSON, base64, XML, a form, or lines such as "password: x".
import { isObject } from '../../../openapi/json.ts';
import { readJson } from './exchange-of-entry.ts';

/** Longer texts are read to here, in characters; texts within texts down to so many levels. */
const most = { characters: 200_000, levels: 3, pairs: 2_000 };

/** The same value, with a list of the text and of what it holds in the place of each text that holds something. */
export function unfoldTexts(value: unknown, level = 0): unknown {
  if (typeof value === 'string') return unfoldText(value, level);
  if (Array.isArray(value)) return value.map((item) => unfoldTexts(item, level));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, unfoldTexts(part, level)]));
}

function unfoldText(whole: string, level: number): unknown {
  const text = whole.slice(0, most.characters);
  if (level >= most.levels) return whole;
  const json = /^\s*[[{"]/.test(text) ? readJson(whole) : undefined;
  if (json !== undefined) return [whole, unfoldTexts(json, level + 1)];
  const decoded = decodeBase64(text);
  if (decoded !== undefined) return [whole, unfoldText(decoded, level + 1)];
  const pairs = pairsIn(text);
  return pairs.length === 0 ? whole : [whole, ...pairs];
}

/** Undefined where it is no base64 of a text. */
function decodeBase64(text: string): string | undefined {
  const encoded = text.replace(/^data:[^,]{0,100};base64,/, '');
  if (!/^[\w+/-]{12,}={0,2}$/.test(encoded)) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString();
  return /[\p{Cc}\p{Cn}\u{fffd}]/u.test(decoded.replace(/\s/g, '')) ? undefined : decoded;
}

const name = String.raw`([\p{L}_][\p{L}\p{N}_.-]{0,63})`;
/** XML, a member or an argument in quotation marks, a line, and a member of a form. */
const patterns = [
  new RegExp(String.raw`<(?:[\w-]+:)?${name}(?:\s[^<>]*)?>(?:<!\[CDATA\[)?([^<]+)`, 'gu'),
  new RegExp(String.raw`${name}\\?["']?\s*[:=]\s*\\?"([^"\\]+)`, 'gu'),
  new RegExp(String.raw`${name}\\?["']?\s*[:=]\s*\\?'([^'\\]+)`, 'gu'),
  new RegExp(String.raw`^[\t >*-]{0,20}${name}["']?\s*[:=]\s*([^\n]+)`, 'gmu'),
  new RegExp(String.raw`${name}\s*[:=]\s*([^\s&,;"'<>(){}]+)`, 'gu'),
];

function pairsIn(text: string): Record<string, string>[] {
  if (!/[:=>]/.test(text)) return [];
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].slice(0, most.pairs));
  return found.flatMap(([, key = '', value = '']) => readings(value.trim()).map((one) => ({ [key]: one })));
}

/** What a value may be, by the escapes of forms and of XML. */
function readings(value: string): string[] {
  const plain = value.replace(/\]\]>$/, '');
  return [...new Set([plain, decodeForm(plain), decodeEntities(plain)])];
}

function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(\w+);/g, (whole, entity: string) => entities[entity] ?? whole);
}
