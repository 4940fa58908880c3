// Hides the secrets in a request that is shown. In doubt a harmless value is hidden, too.
import type { IncomingHttpHeaders } from 'node:http';
import { formatPointer } from '../../openapi/json-pointer.ts';
import type { Profile } from '../../openapi/profile.ts';
import {
  hideCredential,
  isSecretHeader,
  isSecretName,
  isSecretParameter,
  plainName,
} from '../../openapi/secret-names.ts';
import { slotsOf } from '../../openapi/template.ts';

const hidden = '…';

/** Names of members and JSON Pointers. */
type SecretPlaces = Record<'names' | 'pointers', readonly string[]>;

/** Where bodies of the deployment have tokens, keys and signing secrets, besides those that are recognised by name or form. */
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

/** A text without any of these has nothing to hide. */
const telltale = /s[tp]_|https?:/i;
const webAddress = /https?:\/\/[^\s"'<>\\]+/gi;
/** JSON below this depth is hidden. */
const deepest = 100;

export function redactHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const shown = Object.entries(plainHeaders(headers)).map(([name, text]) => [
    name,
    isSecretHeader(name) ? hideCredential(text) : redactText(text),
  ]);
  return Object.fromEntries(shown);
}

/** Each as one text. */
export function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const sent = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent.map(([name, value]) => [name, [value].flat().join(', ')]));
}

/** A path with its query: hides values named like secrets or looking like them, percent-encoded or not. */
export function redactPath(path: string): string {
  const showSegment = (segment: string) => (holdsSecret(segment) ? hidden : segment);
  return showParts(path, (place) => place.split('/').map(showSegment).join('/'), redactPair);
}

/** A receiving address. The query of a robot's address gives access to its group, and so does the last part of a Feishu robot's path. */
export function redactAddress(address: string): string {
  const hideUser = (place: string) => place.replace(/^(\w+:\/\/)[^/\\]*@/, `$1${hidden}@`);
  const showPlace = (place: string) => hideUser(place).replace(/(\/hook\/)[^/?#]+/g, `$1${hidden}`);
  return showParts(address, showPlace, hideValue);
}

type Show = (text: string) => string;

/** What stands before the query, and each pair of the query. */
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

/** Hides a name, too, that is no plain one. Without a name, all of it may be the secret. */
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
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Any text: hides tokens, and the secrets in addresses. */
export function redactText(text: string): string {
  return telltale.test(text) ? hideTokens(text.replace(webAddress, redactAddress)) : text;
}

/** The beginning of a token in base64. */
const inBase64 = /(?<![\w+/])c3[RB]f[\w+/-]{11,}/g;

/** Any text: hides tokens and API keys alone, percent-encoded or in base64 too. */
export function redactTokens(text: string): string {
  const plain = text
    .replace(inBase64, hidden)
    .replace(/[\w%]+/g, (word) => (word.includes('%') && holdsSecret(word) ? hidden : word));
  return hideTokens(plain);
}

function hideTokens(text: string): string {
  return text.replace(/\w+/g, hideToken);
}

/** After a letter, only a long text with a digit is a token: "list_subscriptions" is none. */
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

/** A body, parsed; undefined if there is none. */
export function redactBody(text: string | undefined, { names, pointers }: SecretPlaces): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return redactValue(JSON.parse(text), { names: names.map(plainName), pointers }, []);
  } catch {
    return { not_shown: `not JSON, ${text.length} characters` };
  }
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
