// What a call carried as credentials, and the names of its other headers that a browser does not send by itself.
import type { Credential } from '../described-operation.ts';
import { isName } from './plain-words.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { kindOfName } from './secret-names.ts';

export function credentialOf({ requestHeaders }: RecordedExchange): Credential {
  const { authorization, cookie = '' } = requestHeaders;
  const tokens = Object.entries(requestHeaders).filter(
    ([name, value]) => isOwn(name) && kindOfName(name) !== undefined && value !== '' && !isNoLogin(name),
  );
  const carried = authorization ?? tokens[0]?.[1];
  if (carried !== undefined) return /^(\S+\s+)?sp_/.test(carried) ? 'api-key' : 'session-token';
  const names = cookie.split(/;\s*/).map((one) => one.split('=')[0] ?? '');
  return names.some((name) => kindOfName(name) !== undefined || /sid|sess/i.test(name)) ? 'cookie' : 'none';
}

/** Whether any of them carried credentials; exports of browsers may leave them all out. */
export function haveCredentials(exchanges: readonly RecordedExchange[]): boolean {
  return exchanges.some((exchange) => credentialOf(exchange) !== 'none');
}

/** Names in small letters; without those that say who calls, or which call it is. */
export function ownHeadersOf({ requestHeaders }: RecordedExchange): string[] {
  return Object.keys(requestHeaders).filter(
    (name) => isOwn(name) && isName(name) && !isNoLogin(name) && !isOfClient(name),
  );
}

/** Values of headers that browsers, proxies and clients do not send by themselves: they may be what lets somebody in, even where each is a plain word. */
export function ownHeaderValuesOf({ requestHeaders }: RecordedExchange): string[] {
  return Object.entries(requestHeaders).flatMap(([name, value]) =>
    isOwn(name) && !saysClient.test(name) && !saysCall.test(name) ? [value] : [],
  );
}

const saysClient = /client|version|correlation|timestamp|time|sentry|baggage|locale|lang/i;
const saysCall = /idempot|request|csrf|xsrf|nonce|trace|sign/i;

/** What programs say of themselves, or of when and from where they call. */
function isOfClient(name: string): boolean {
  return kindOfName(name) !== undefined || saysClient.test(name);
}

/** Whether a header says that another method is meant than that of the call. */
export function isMethodOverride(name: string): boolean {
  return /method/.test(name);
}

/** Keys of idempotency and tokens against forged requests say nothing about who calls. */
function isNoLogin(name: string): boolean {
  return saysCall.test(name);
}

/** Headers that browsers and proxies send. */
const usual =
  /^(:.*|accept(-.*)?|authorization|cache-control|connection|content-.*|cookie|dnt|forwarded|host|if-(none-match|modified-since|range)|keep-alive|origin|pragma|priority|purpose|range|referer|save-data|sec-.*|te|upgrade(-.*)?|user-agent|via|x-forwarded-.*|x-real-ip|x-requested-with)$/;

function isOwn(name: string): boolean {
  return !usual.test(name);
}
