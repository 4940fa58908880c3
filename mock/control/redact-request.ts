// Hides the secrets in a request that is shown. In doubt a harmless value is hidden, too.
import type { IncomingHttpHeaders } from 'node:http';
import { formatPointer } from '../../openapi/json-pointer.ts';

const hidden = '…';

/** Where a deployment has secrets in a body, besides those that are recognised by name or form. */
export interface SecretPlaces {
  /** Names of members. */
  names: readonly string[];
  /** JSON Pointers. */
  pointers: readonly string[];
}

const secretName = /passw|pwd|secret|token|apikey|credential|privatekey|signingkey|accesskey|authorization/;
const secretHeader = /token|secret|key|cookie|passw|credential|^(proxy-)?authorization$/i;
/** After a letter, only a long text with a digit is a token: "list_subscriptions" is none. */
const tokenForm = /(?<![a-z])(st|sp)_\w{8,}|(st|sp)_(?=\w*\d)\w{16,}/gi;
const webAddress = /https?:\/\/[^\s"'<>\\]+/gi;
/** JSON below this depth is hidden. */
const deepest = 100;

export function redactHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, redactHeader(name, [value].flat().join(', '))]),
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
export function redactAddress(address: string): string {
  const [place = '', ...query] = address.split('?');
  const open = place
    .replace(/^(\w+:\/\/)[^/@]*@/, `$1${hidden}@`)
    .replace(/(\/hook\/)[^/?#]+/g, `$1${hidden}`);
  const names = query.join('?').split('&').map(redactValue);
  return open + (query.length > 0 ? `?${names.join('&')}` : '');
}

/** Any text: hides tokens, and the secrets in addresses. */
export function redactText(text: string): string {
  return text.replace(webAddress, redactAddress).replace(tokenForm, (token) => token.slice(0, 3) + hidden);
}

/** A body, parsed; undefined if there is none. */
export function redactBody(text: string | undefined, places: SecretPlaces): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return walk(JSON.parse(text), {
      names: places.names.map(plain),
      pointers: new Set(places.pointers),
      at: [],
    });
  } catch {
    return { not_shown: `not JSON, ${text.length} characters` };
  }
}

interface Walk {
  names: readonly string[];
  pointers: ReadonlySet<string>;
  at: readonly string[];
}

function walk(value: unknown, here: Walk): unknown {
  const { at, pointers, names } = here;
  if (at.length > deepest || pointers.has(formatPointer(at))) return hidden;
  const name = plain(at.at(-1) ?? '');
  if (secretName.test(name) || (name !== '' && names.includes(name))) return hidden;
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value))
    return value.map((item, index) => walk(item, { ...here, at: [...at, String(index)] }));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [redactText(key), walk(part, { ...here, at: [...at, key] })]),
  );
}

function redactHeader(name: string, value: string): string {
  if (/^(proxy-)?authorization$/i.test(name)) return redactAuthorization(value);
  return secretHeader.test(name) ? hidden : redactText(value);
}

/** Shows the scheme and the kind of the token. */
function redactAuthorization(value: string): string {
  const [, scheme, kind = ''] = /^(Bearer|Basic|Digest) +(st_|sp_)?/i.exec(value) ?? [];
  return scheme === undefined ? hidden : `${scheme} ${kind}${hidden}`;
}

function redactPair(pair: string): string {
  const [name = ''] = pair.split('=');
  const isNamedAsSecret = secretName.test(plain(decode(pair))) || /^(key|sign|sig)$/i.test(decode(name));
  return isNamedAsSecret || holdsSecret(pair) ? redactValue(pair) : pair;
}

function redactValue(pair: string): string {
  const [name = '', ...value] = pair.split('=');
  // Without a name, all of it may be the secret.
  return value.length > 0
    ? `${redactText(decode(name)) === decode(name) ? name : hidden}=${hidden}`
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

/** api-key, apiKey and API_KEY are the same name. */
function plain(name: string): string {
  return name.replace(/[^a-z0-9]/gi, '').toLowerCase();
}
