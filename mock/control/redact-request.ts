// Hides values that might be secrets, even if some are harmless.
import type { IncomingHttpHeaders } from 'node:http';
import { jsonIn } from '../../openapi/json.ts';
import { formatPointer } from '../../openapi/json-pointer.ts';
import type { Profile } from '../../openapi/profile.ts';
import {
  hideCredential,
  isSecretHeader,
  isSecretName,
  isSecretParameter,
  plainName,
} from '../../openapi/secret-names.ts';
import { decodeLeniently, slotsOf } from '../../openapi/template.ts';

const hidden = '…';

type SecretPlaces = Record<'names' | 'pointers', readonly string[]>;

/** The places of tokens, keys and signing secrets in a profile, in addition to those recognized by name or form. */
export function secretPlacesOf({ values }: Profile): SecretPlaces {
  const createKey = values['operation.create-key'];
  const renewed = slotsOf(values['refresh.request']).filter(({ names }) => names.includes('token'));
  return {
    names: [values['subscription.request.secret']],
    pointers: [
      values['login.token'],
      values['refresh.token'],
      values['subscription.response.secret'],
      ...(typeof createKey === 'object' ? [String(createKey.key ?? '/data/key')] : []),
      ...renewed.map(({ path }) => formatPointer(path)),
    ].filter((pointer) => pointer !== 'absent'),
  };
}

/** A text without any of these contains no secret, and skips the slower replacements. */
const telltale = /s[tp]_|https?:/i;
const webAddress = /https?:\/\/[^\s"'<>\\]+/gi;
/** In levels of JSON; deeper values are hidden. */
const deepest = 100;

export function redactHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const shown = Object.entries(plainHeaders(headers)).map(([name, text]) => [
    name,
    isSecretHeader(name) ? hideCredential(text) : redactText(text),
  ]);
  return Object.fromEntries(shown);
}

export function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const sent = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent.map(([name, value]) => [name, [value].flat().join(', ')]));
}

export function redactPath(path: string): string {
  const showSegment = (segment: string) => (holdsSecret(segment) ? hidden : segment);
  return showParts(path, (place) => place.split('/').map(showSegment).join('/'), redactPair);
}

/** The query of a robot's URL, or the last path segment with Feishu, is a secret that gives access to its group. */
export function redactAddress(address: string): string {
  const hideUser = (place: string) => place.replace(/^(\w+:\/\/)[^/\\]*@/, `$1${hidden}@`);
  const showPlace = (place: string) => hideUser(place).replace(/(\/hook\/)[^/?#]+/g, `$1${hidden}`);
  return showParts(address, showPlace, hideValue);
}

type Show = (text: string) => string;

function showParts(address: string, showPlace: Show, showPair: Show): string {
  const [place = '', ...query] = address.split('?');
  if (query.length === 0) return showPlace(place);
  const pairs = query.join('?').split('&');
  return `${showPlace(place)}?${pairs.map(showPair).join('&')}`;
}

function redactPair(pair: string): string {
  const [name = ''] = pair.split('=');
  const isNamedAsSecret = isSecretName(decode(pair)) || isSecretParameter(decode(name));
  return isNamedAsSecret || holdsSecret(pair) ? hideValue(pair) : pair;
}

/** A pair without "=" may be the secret itself. A name with a token or URL in it is hidden too. */
function hideValue(pair: string): string {
  const [name = '', ...value] = pair.split('=');
  if (value.length === 0) return pair && hidden;
  const plain = decode(name);
  const isPlain = !/https?:/i.test(plain) && hideTokens(plain) === plain;
  return `${isPlain ? name : hidden}=${hidden}`;
}

function holdsSecret(text: string): boolean {
  const decoded = decode(text);
  return redactText(decoded) !== decoded;
}

function decode(text: string): string {
  return decodeLeniently(text.replaceAll('+', ' '));
}

export function redactText(text: string): string {
  return telltale.test(text) ? hideTokens(text.replace(webAddress, redactAddress)) : text;
}

/** Base64 of "st_…" and "sp_…", the forms of tokens and API keys. */
const inBase64 = /(?<![\w+/])c3[RB]f[\w+/-]{11,}/g;

/** Hides tokens and API keys, percent-encoded or in base64 too, but not the other secrets of URLs. */
export function redactTokens(text: string): string {
  const plain = text
    .replace(inBase64, hidden)
    .replace(/[\w%]+/g, (word) => (word.includes('%') && holdsSecret(word) ? hidden : word));
  return hideTokens(plain);
}

function hideTokens(text: string): string {
  return text.replace(/\w+/g, hideToken);
}

/** After a letter, only 16 or more characters with a digit are a token, so that "list_subscriptions" is shown. */
function hideToken(word: string): string {
  const lastDigit = word.search(/\d\D*$/);
  for (const { index } of word.matchAll(/s[tp]_/gi)) {
    const start = index + 'st_'.length;
    const length = word.length - start;
    const isBehindLetter = /[a-z]/i.test(word.charAt(index - 1));
    if ((!isBehindLetter && length >= 8) || (length >= 16 && lastDigit >= start))
      return word.slice(0, start) + hidden;
  }
  return word;
}

export function redactBody(text: string | undefined, { names, pointers }: SecretPlaces): unknown {
  if (text === undefined || text === '') return undefined;
  const value = jsonIn(text);
  if (value === undefined) return { not_shown: `not JSON, ${text.length} characters` };
  return redactValue(value, { names: names.map(plainName), pointers }, []);
}

function redactValue(value: unknown, secret: SecretPlaces, path: readonly string[]): unknown {
  const name = plainName(path.at(-1) ?? '');
  const isNamed = isSecretName(name) || (name !== '' && secret.names.includes(name));
  if (isNamed || path.length > deepest || secret.pointers.includes(formatPointer(path))) return hidden;
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value))
    return value.map((item, index) => redactValue(item, secret, [...path, String(index)]));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([member, part]) => [redactText(member), redactValue(part, secret, [...path, member])]),
  );
}
