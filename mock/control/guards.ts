// Without a token, the control API refuses web pages of other origins and host names that were made to resolve here (DNS rebinding).
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isThisMachine } from '../../openapi/this-machine.ts';
import { digest, isSameSecret } from '../world/digests.ts';
import { quote, refuse } from './control-error.ts';

type PageRequest = Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>;

/** The returned check throws a ControlError for a foreign origin or host name. */
export function createPageGuard(hostNames: readonly string[], scheme: 'http' | 'https') {
  const known = new Set(hostNames.map(normalName));
  return (request: PageRequest): void => {
    for (const authority of authoritiesOf(request)) checkHost(authority, known);
    checkOrigin(request.headers, { scheme, known });
  };
}

/** A CORS preflight is refused before routing, so that no inbox takes it for a message. */
export function refusePreflight({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): void {
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return;
  refuse(403, 'the control API and inboxes refuse calls from web pages of other origins');
}

const tokenAdvice = 'start the mock with --control-token and send "Authorization: Bearer <control token>"';

/** The request line and the Host header may both name the target, and a proxy may go by either. */
function authoritiesOf({ url = '', rawHeaders }: PageRequest): string[] {
  const hosts = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host',
  );
  if (hosts.length !== 1) refuse(403, `expected one Host header; this call has ${hosts.length || 'none'}`);
  const [, inUrl] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url) ?? [];
  return inUrl === undefined ? hosts : [inUrl, ...hosts];
}

function checkHost(authority: string, known: ReadonlySet<string>): void {
  const [, address, name = ''] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{0,5})?$/i.exec(authority) ?? [];
  const host = address ?? name;
  // Addresses and loopback names need no DNS, so DNS rebinding cannot use them.
  if (isIP(normalName(host)) > 0 || isThisMachine(host) || known.has(normalName(host))) return;
  refuse(
    403,
    `the control API does not accept the host ${quote(authority)}; use localhost or an IP address, start the mock with --host-name NAME, or ${tokenAdvice}`,
  );
}

function normalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

function checkOrigin(
  { host = '', origin, 'sec-fetch-site': site }: IncomingMessage['headers'],
  { scheme, known }: { scheme: string; known: ReadonlySet<string> },
): void {
  if (origin !== undefined) {
    // `URL` leaves out the default port, as browsers do in Origin.
    const own = URL.parse(`${scheme}://${host}`)?.origin;
    // Only the name is compared: a tunnel that terminates TLS has another scheme and port, and may rewrite Host.
    const [, name] = /^https?:\/\/([\w.-]+)(?::\d{1,5})?$/i.exec(origin) ?? [];
    if (origin === own || (name !== undefined && known.has(normalName(name)))) return;
    refuse(
      403,
      `the control API refuses calls from web pages of another origin (${quote(origin)}); call it from outside the browser, or ${tokenAdvice}`,
    );
  }
  // Browsers send no Origin with a plain GET, but Sec-Fetch-Site shows its source.
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  refuse(
    403,
    `the control API refuses calls from web pages of another origin; enter the address by hand, call it from outside the browser, or ${tokenAdvice}`,
  );
}

/** The returned check throws a ControlError unless Authorization carries a token with one of these digests. */
export function createTokenGuard(digests: readonly string[]) {
  return ({ headers }: Pick<IncomingMessage, 'headers'>): void => {
    const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    const sent = digest(given);
    // All digests are compared, so that the time taken does not depend on which one matches.
    if (digests.filter((own) => isSameSecret(sent, own)).length > 0) return;
    refuse(401, 'this mock needs a control token; send "Authorization: Bearer <control token>"', {
      'www-authenticate': 'Bearer',
    });
  };
}
