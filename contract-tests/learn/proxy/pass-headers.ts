// The headers of requests and answers as they pass the proxy: as they came, but for what is about one connection, or names one of the two sides.
import type { IncomingMessage } from 'node:http';

/** The target, and the proxy as the browser calls it: both as origins, such as "https://staging.example.com". */
export interface Sides {
  target: string;
  own: string;
}

/** Names, as they were written, with their values: Node wants a list only where there are several. */
export type PassedHeaders = Record<string, string | string[]>;

/** About one connection alone (RFC 9110, section 7.6.1). */
const hopByHop = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade expect'.split(
    ' ',
  ),
);

/** Those of a request, for the target. */
export function requestHeaders(incoming: IncomingMessage, { target, own }: Sides): PassedHeaders {
  const passed = endToEnd(incoming, (name, value) => {
    if (name === 'host') return new URL(target).host;
    if (name === 'origin') return value === own ? target : value;
    return name === 'referer' && value.startsWith(`${own}/`) ? `${target}${value.slice(own.length)}` : value;
  });
  // Without a length, only this tells a body from none.
  if (incoming.headers['transfer-encoding'] !== undefined) passed['Transfer-Encoding'] = 'chunked';
  return passed;
}

/** Those of an answer, for the browser. */
export function answerHeaders(answer: IncomingMessage, sides: Sides): PassedHeaders {
  return endToEnd(answer, (name, value) => {
    if (name === 'set-cookie') return cookieFor(value, sides.own);
    if (name === 'location' || name === 'content-location') return addressFor(value, sides);
    if (name === 'access-control-allow-origin') return value === sides.target ? sides.own : value;
    if (name === 'content-security-policy') return policyFor(value, sides);
    return name === 'strict-transport-security' ? undefined : value;
  });
}

/** `change` gives the value that is passed on; undefined leaves the header out. */
function endToEnd(
  { rawHeaders, headers }: IncomingMessage,
  change: (name: string, value: string) => string | undefined,
): PassedHeaders {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/));
  const passed: PassedHeaders = Object.create(null) as PassedHeaders;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    const lower = name.toLowerCase();
    const changed = hopByHop.has(lower) || named.has(lower) ? undefined : change(lower, value);
    if (changed !== undefined) passed[name] = name in passed ? [passed[name] ?? [], changed].flat() : changed;
  }
  return passed;
}

/** An absolute address of the target, in either scheme, as one of the proxy; any other as it is. */
function addressFor(value: string, { target, own }: Sides): string {
  const { hostname, host } = new URL(target);
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return value;
  const address = new URL(value);
  if (address.host !== host && !(address.hostname === hostname && address.port === '')) return value;
  return `${own}${value.replace(/^https?:\/\/[^/?#]*/i, '')}`;
}

/** A cookie for the proxy's own host, over http where that is what it speaks. Those with a prefix need `Secure`, which browsers take from this machine. */
function cookieFor(value: string, own: string): string {
  const [pair = '', ...attributes] = value.split(';');
  const isSecure = own.startsWith('https:') || /^\s*__(host|secure)-/i.test(pair);
  const kept = attributes.filter((one) => !/^\s*domain\s*=/i.test(one));
  if (isSecure) return [pair, ...kept].join(';');
  const open = kept.filter((one) => !/^\s*(secure|partitioned)\s*$/i.test(one));
  return [
    pair,
    ...open.map((one) => (/^\s*samesite\s*=\s*none\s*$/i.test(one) ? ' SameSite=Lax' : one)),
  ].join(';');
}

function policyFor(value: string, { target, own }: Sides): string {
  const directives = value.split(';').filter((one) => !/^\s*upgrade-insecure-requests\s*$/i.test(one));
  return directives.join(';').replaceAll(target, own);
}
