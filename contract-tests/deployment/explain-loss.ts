// Explains why no answer arrived, and what to do.
import { STATUS_CODES } from 'node:http';
import type { Connection } from '../core/suite-options.ts';
import { placeOf } from './connection.ts';

type Proxy = NonNullable<Connection['proxy']>;

/** `isCertain`: every request would fail in the same way. */
export interface Loss {
  reason: string;
  isCertain: boolean;
}

type Fault = Pick<NodeJS.ErrnoException, 'code' | 'message'>;

export function explainLoss(error: unknown, connection: Connection | undefined): Loss {
  const fault = faultOf(error);
  const { proxy } = connection ?? {};
  const status = statusOfProxy(fault);
  const certain =
    (status && proxy ? explainRefusal(status, proxy) : undefined) ??
    explainCertificate(fault, connection) ??
    explainAlert(fault, connection);
  if (certain !== undefined) return { reason: certain, isCertain: true };
  const reason = status ? `the proxy opened no tunnel: it answered ${sayStatus(status)}` : wordsOf(fault);
  return { reason: proxy ? `${reason} (${sayProxy(proxy)})` : reason, isCertain: false };
}

/** undici may wrap the error of Node, and a host with several addresses has several errors. */
function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { message: String(error) };
  if (error instanceof AggregateError && error.errors.length > 0) return faultOf(error.errors.at(-1));
  return /^UND_ERR_(PRX_TLS|CONNECT)/.test(codeOf(error)) && error.cause ? faultOf(error.cause) : error;
}

function codeOf(error: Error): string {
  return String((error as NodeJS.ErrnoException).code);
}

/** Replaces undici's messages with Node's. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^(other side )?closed$/, 'socket hang up'],
  [/^Proxy Connection failed$/, 'Connection to establish proxy tunnel ended unexpectedly'],
  [/^bad upgrade$/, 'it answered HTTP 101 (Switching Protocols) without being asked'],
  [/^[0-9A-F]+:error:[0-9A-F]+:SSL routines:/, 'write EPROTO $&'],
  [/^Headers Overflow Error$/, 'Parse Error: Header overflow'],
  [/^Response body length does not match.*$/, 'Parse Error: Content-Length does not match the body'],
  [/^Response does not match the HTTP\/1\.1 protocol \((.*)\)$/, 'Parse Error: $1'],
];

function wordsOf({ message }: Fault): string {
  const text = message.trim();
  const [pattern, plain] = words.find(([one]) => one.test(text)) ?? [text, text];
  return text.replace(pattern, plain);
}

/** The status with which a proxy refused a request. */
function statusOfProxy({ message }: Fault): number | undefined {
  const [, status] = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(message) ?? [];
  return status === undefined ? undefined : Number(status);
}

function explainRefusal(status: number, proxy: Proxy): string | undefined {
  if (status === 407)
    return `the proxy ${placeOf(proxy)} refused the credentials (407); set them in ${proxy.variable}, for example http://user:password@host:port`;
  // Gateway errors of a proxy may be temporary.
  if (status >= 500) return undefined;
  return `the proxy refused the request: it answered ${sayStatus(status)} (${sayProxy(proxy)})`;
}

function sayStatus(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

/** "through the proxy http://proxy.example.com:3128 from HTTPS_PROXY; set NO_PROXY to connect directly". */
function sayProxy(proxy: Proxy): string {
  return `through the proxy ${placeOf(proxy)} from ${proxy.variable}; set NO_PROXY to connect directly`;
}

const unknownIssuer =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/;
const wrongCertificate = /^(CERT_|ERR_TLS_CERT_)/;

function explainCertificate({ code = '', message }: Fault, { proxy }: Connection = {}): string | undefined {
  const ofProxy = proxy?.url.startsWith('https:')
    ? `, or NODE_EXTRA_CA_CERTS for the proxy ${placeOf(proxy)}`
    : '';
  if (unknownIssuer.test(code))
    return `its certificate is signed by an authority that this machine does not trust (${message.split(';')[0]}); pass a private one with --ca FILE${ofProxy}`;
  return wrongCertificate.test(code) ? `its certificate is invalid: ${message.trim()}` : undefined;
}

/** OpenSSL's message, for example "…:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:…:SSL alert number 116". */
const alert = /alert ([a-z ]+):.*SSL alert number (\d+)/;

/** The TLS alerts about client certificates: https://www.iana.org/assignments/tls-parameters#tls-parameters-6 */
const certificateAlerts: readonly number[] = [40, 41, 42, 43, 44, 45, 46, 48, 116];

function explainAlert({ message }: Fault, { cert }: Connection = {}): string | undefined {
  const [, name = '', number = ''] = alert.exec(message) ?? [];
  if (!certificateAlerts.includes(Number(number))) return undefined;
  if (cert) return `it refused the client certificate ${cert.path} (TLS alert ${name})`;
  const how = Number(number) === 40 ? 'may require' : 'requires';
  return `it ${how} a client certificate (TLS alert ${name}); pass one with --cert FILE and --key FILE`;
}
