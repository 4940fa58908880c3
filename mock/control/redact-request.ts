// Hides the secrets in a request that is shown. In doubt a harmless value is hidden, too.
import type { IncomingHttpHeaders } from 'node:http';
import { formatPointer, parsePointer } from '../../openapi/json-pointer.ts';
import type { Profile } from '../../openapi/profile.ts';
import {
  hideCredential,
  isSecretHeader,
  isSecretName,
  isSecretParameter,
  plainName,
} from '../../openapi/secret-names.ts';

const hidden = '…';

/** Where a deployment has secrets in a body, besides those that are recognised by name or form. */
export interface SecretPlaces {
  /** Names of members. */
  names: readonly string[];
  /** JSON Pointers. */
  pointers: readonly string[];
}

/** Where bodies of the deployment have tokens, keys and signing secrets. */
export function secretPlacesOf({ values }: Profile): SecretPlaces {
  const createKey = values['operation.create-key'];
  return {
    names: [values['subscription.request.secret']],
    pointers: [
      values['login.token'],
      values['refresh.token'],
      values['subscription.response.secret'],
      ...(typeof createKey === 'object' ? [String(createKey.key ?? '/data/key')] : []),
      ...placesOf('{token}', values['refresh.request'], []),
    ].filter((pointer) => pointer !== 'absent'),
  };
}

/** JSON Pointers of a placeholder in a template. */
function placesOf(placeholder: string, template: unknown, at: readonly string[]): string[] {
  if (typeof template === 'string') return template.includes(placeholder) ? [formatPointer(at)] : [];
  if (typeof template !== 'object' || template === null) return [];
  return Object.entries(template).flatMap(([name, part]) => placesOf(placeholder, part, [...at, name]));
}

const prefixLength = 'st_'.length;
/** A text without any of these has nothing to hide. */
const telltale = /s[tp]_|https?:/i;
const webAddress = /https?:\/\/[^\s"'<>\\]+/gi;
/** Addresses in the names of an address's query are read this deep; below, each takes another pass over the rest of the text. */
const deepestAddress = 3;
/** JSON below this depth is hidden. */
const deepest = 100;

export function redactHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const text = [value].flat().join(', ');
      return [name, isSecretHeader(name) ? hideCredential(text) : redactText(text)];
    }),
  );
}

/** A path with its query: hides values named like secrets or looking like them, percent-encoded or not. */
export function redactPath(path: string): string {
  const [place = '', ...query] = path.split('?');
  const shown = place.split('/').map((segment) => (holdsSecret(segment) ? hidden : segment));
  const pairs = query.join('?').split('&').map(redactPair);
  return shown.join('/') + (query.length > 0 ? `?${pairs.join('&')}` : '');
}

/** A receiving address. The query of a robot's address gives access to its group, and so does the last part of a Feishu robot's path. */
export function redactAddress(address: string, depth = 0): string {
  const [place = '', ...query] = address.split('?');
  const open = place
    .replace(/^(\w+:\/\/)[^/\\]*@/, `$1${hidden}@`)
    .replace(/(\/hook\/)[^/?#]+/g, `$1${hidden}`);
  const names = query
    .join('?')
    .split('&')
    .map((pair) => redactValue(pair, depth + 1));
  return open + (query.length > 0 ? `?${names.join('&')}` : '');
}

/** Any text: hides tokens, and the secrets in addresses. */
export function redactText(text: string, depth = 0): string {
  if (!telltale.test(text)) return text;
  const hideAddress = (address: string) => (depth < deepestAddress ? redactAddress(address, depth) : hidden);
  return text.replace(webAddress, hideAddress).replace(/\w+/g, hideToken);
}

/** The beginning of a token in base64. */
const inBase64 = /(?<![\w+/])c3[RB]f[\w+/-]{11,}/g;

/** Any text: hides tokens and API keys alone, percent-encoded or in base64 too. */
export function redactTokens(text: string): string {
  return text
    .replace(inBase64, hidden)
    .replace(/[\w%]+/g, (word) => (word.includes('%') && holdsSecret(word) ? hidden : word))
    .replace(/\w+/g, hideToken);
}

/** After a letter, only a long text with a digit is a token: "list_subscriptions" is none. */
function hideToken(word: string): string {
  const lastDigit = word.search(/\d\D*$/);
  for (const { index } of word.matchAll(/s[tp]_/gi)) {
    const start = index + prefixLength;
    const length = word.length - start;
    const isBehindLetter = index > 0 && /[a-z]/i.test(word.charAt(index - 1));
    if ((!isBehindLetter && length >= 8) || (length >= 16 && lastDigit >= start))
      return word.slice(0, start) + hidden;
  }
  return word;
}

/** A body, parsed; undefined if there is none. */
export function redactBody(text: string | undefined, places: SecretPlaces): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return walk(JSON.parse(text), {
      names: places.names.map(plainName),
      places: places.pointers.map(parsePointer),
      name: '',
      depth: 0,
    });
  } catch {
    return { not_shown: `not JSON, ${text.length} characters` };
  }
}

interface Walk {
  names: readonly string[];
  /** What is left of the ways to the places that begin as the way here does. */
  places: readonly (readonly string[])[];
  /** The last name on the way here, in plain letters. */
  name: string;
  depth: number;
}

function walk(value: unknown, here: Walk): unknown {
  const { names, places, name, depth } = here;
  if (depth > deepest || places.some((place) => place.length === 0)) return hidden;
  if (isSecretName(name) || (name !== '' && names.includes(name))) return hidden;
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map((item, index) => walk(item, below(here, String(index))));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [redactText(key), walk(part, below(here, key))]),
  );
}

function below({ names, places, depth }: Walk, key: string): Walk {
  const further = places.filter(([next]) => next === key).map((place) => place.slice(1));
  return { names, places: further, name: plainName(key), depth: depth + 1 };
}

function redactPair(pair: string): string {
  const [name = ''] = pair.split('=');
  const isNamedAsSecret = isSecretName(decode(pair)) || isSecretParameter(decode(name));
  return isNamedAsSecret || holdsSecret(pair) ? redactValue(pair) : pair;
}

function redactValue(pair: string, depth = 0): string {
  const [name = '', ...value] = pair.split('=');
  // Without a name, all of it may be the secret.
  return value.length > 0
    ? `${redactText(decode(name), depth) === decode(name) ? name : hidden}=${hidden}`
    : pair && hidden;
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
