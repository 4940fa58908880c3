// How commands reach a deployment: proxy, CA certificates, client certificate, headers.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { type Connection, headerVariable, type PemFile } from '../../contract-tests/core/suite-options.ts';
import { secureContextOf } from '../../contract-tests/deployment/secure-context.ts';
import { readLimitedBytes, sayReadError } from '../../openapi/read-limited-text.ts';
import { dropEmpty } from './deployment-options.ts';
import { type Environment, type Given, readSecret } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** Undefined for a direct connection without headers. Throws UsageError. */
export function readConnection(given: Given, baseUrl: string): Connection | undefined {
  const connection: Connection = dropEmpty({
    proxy: readProxy(baseUrl, given.environment),
    ca: readCertificates(given, 'ca'),
    ...readClientCertificate(given),
    headers: readHeaders(given),
  });
  if (connection.ca || connection.cert) requireUsable(connection);
  return Object.keys(connection).length > 0 ? connection : undefined;
}

/** OpenSSL rejects some files, for example keys that are too short. */
function requireUsable(connection: Connection): void {
  try {
    secureContextOf(connection);
  } catch (error) {
    throw new UsageError(`--ca, --cert and --key can't be used together: ${(error as Error).message}`);
  }
}

function readClientCertificate(given: Given): Pick<Connection, 'cert' | 'key' | 'passphrase'> {
  const cert = readCertificates(given, 'cert');
  if (given.text('key') !== undefined && !cert) throw new UsageError('--key needs --cert; pass both');
  if (!cert) return {};
  const passphrase = readSecret('SITEPUB_KEY_PASSPHRASE', given.environment);
  const key = readPem(given, 'key') ?? (cert.pem.includes('PRIVATE KEY-----') ? cert : undefined);
  if (!key) throw new UsageError(`--cert needs a private key, and ${cert.path} contains none; add --key`);
  if (!new X509Certificate(cert.pem).checkPrivateKey(openKey(key, passphrase)))
    throw new UsageError(`--key: the key in ${key.path} does not match the certificate in ${cert.path}`);
  return { cert, key, ...(passphrase !== undefined && { passphrase }) };
}

function openKey({ path, pem }: PemFile, passphrase: string | undefined) {
  try {
    return createPrivateKey({ key: pem, format: 'pem', ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    if (!pem.includes('PRIVATE KEY-----'))
      throw new UsageError(`--key: ${path} contains no PEM private key ("-----BEGIN PRIVATE KEY-----")`);
    // "BEGIN ENCRYPTED PRIVATE KEY", or "Proc-Type: 4,ENCRYPTED" in the older format.
    const isEncrypted = pem.includes('ENCRYPTED');
    if (isEncrypted && passphrase === undefined)
      throw new UsageError(
        `--key: the key in ${path} is encrypted; set SITEPUB_KEY_PASSPHRASE or SITEPUB_KEY_PASSPHRASE_FILE`,
      );
    if (isEncrypted) throw new UsageError(`SITEPUB_KEY_PASSPHRASE does not open the key in ${path}`);
    throw new UsageError(`--key: the key in ${path} can't be read: ${(error as Error).message}`);
  }
}

/** Headers that the suite sets itself, and headers of one connection. */
const ownHeaders =
  /^(authorization|content-(type|length|encoding)|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|(x-)?idempoten(cy|t)-(key|token))$/i;

function readHeaders(given: Given): Record<string, string> | undefined {
  const byName = new Map(given.list('header').map((name) => [name.toLowerCase(), name]));
  if (byName.size === 0) return undefined;
  return Object.fromEntries([...byName.values()].map((name) => [name, readHeader(name, given.environment)]));
}

function readHeader(name: string, environment: Environment): string {
  requireHeaderName(name);
  const variable = headerVariable(name);
  const value = readSecret(variable, environment);
  if (value === undefined)
    throw new UsageError(`--header ${name} has no value; set ${variable} or ${variable}_FILE`);
  try {
    validateHeaderValue(name, value);
  } catch {
    throw new UsageError(`${variable} contains a character that headers do not allow, such as a line break`);
  }
  return value;
}

/** The text after a colon or an equals sign may be a secret, so messages do not repeat it. */
function requireHeaderName(name: string): void {
  const [, given = '', more = ''] = /^([^:=\s]*)(.*)$/s.exec(name) ?? [];
  if (more !== '')
    throw new UsageError(
      `--header ${given} takes only a name; flags are visible in process lists, so put the value into ${headerVariable(given)}`,
    );
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(name))
    throw new UsageError(
      `--header is "${name}"; expected a name of letters, digits, - and _, such as X-Gateway-Token`,
    );
  if (/^proxy-/i.test(name))
    throw new UsageError(
      `--header ${name} is for proxies; put the credentials into HTTPS_PROXY or HTTP_PROXY, for example http://user:password@host:port`,
    );
  if (ownHeaders.test(name))
    throw new UsageError(`--header ${name}: the suite sets ${name} itself, so a gateway cannot use it`);
}

const certificate = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs;

export function readCertificates(given: Given, flag: 'ca' | 'cert'): PemFile | undefined {
  const file = readPem(given, flag);
  if (!file) return undefined;
  const found = file.pem.match(certificate) ?? [];
  if (found.length === 0)
    throw new UsageError(
      `--${flag}: ${file.path} contains no PEM certificate ("-----BEGIN CERTIFICATE-----"); \`openssl x509 -inform der -in ${file.path}\` converts one in DER`,
    );
  for (const [index, pem] of found.entries())
    try {
      new X509Certificate(pem);
    } catch (error) {
      const what = `certificate ${index + 1} in ${file.path}`;
      throw new UsageError(`--${flag}: ${what} can't be read: ${(error as Error).message}`);
    }
  return file;
}

/** In bytes; all CA certificates of a system take a quarter of it. */
const largestPem = 1_048_576;

/** Throws UsageError. */
export function readPem(given: Given, flag: string): PemFile | undefined {
  const path = given.text(flag);
  if (path === undefined) return undefined;
  try {
    return { path, pem: readLimitedBytes(path, largestPem).toString() };
  } catch (error) {
    const reason = sayReadError(error, largestPem);
    throw new UsageError(`--${flag}: ${path} can't be read (${reason}); give the path of a PEM file`);
  }
}

/** Reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY as curl does, lower case first. Throws UsageError for an unusable proxy. */
export function readProxy(address: string, environment: Environment): Connection['proxy'] | undefined {
  const url = new URL(address);
  const scheme = url.protocol.replace(':', '');
  const variable = pick(`${scheme}_proxy`, environment);
  const text = variable && environment[variable]?.trim();
  if (!variable || !text || isCalledDirectly(url, environment)) return undefined;
  return { url: readProxyUrl(text, variable), variable };
}

function pick(name: string, environment: Environment): string | undefined {
  return [name, name.toUpperCase()].find((one) => environment[one]);
}

/** The scheme may be missing. Messages show nothing that could be a password. */
function readProxyUrl(text: string, variable: string): string {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (!url?.hostname)
    throw new UsageError(
      `${variable} is not the URL of a proxy; expected for example http://proxy.example.com:3128`,
    );
  if (!/^https?:$/.test(url.protocol))
    throw new UsageError(
      `${variable} names a proxy of ${url.protocol}//, which is not supported; use an http or https proxy, or add the host to NO_PROXY`,
    );
  try {
    decodeURIComponent(`${url.username}:${url.password}`);
  } catch {
    throw new UsageError(`${variable} contains credentials with a bare %; write it as %25`);
  }
  return url.href;
}

/** NO_PROXY lists hosts or parent domains with or without port, IP addresses, networks such as 10.0.0.0/8, or * for all. */
function isCalledDirectly(url: URL, environment: Environment): boolean {
  const variable = pick('no_proxy', environment);
  const entries = (variable ? environment[variable] : undefined)?.toLowerCase().split(/[\s,]+/) ?? [];
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return entries.filter(Boolean).some((entry) => entry === '*' || matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  const [network = '', bits] = entry.split('/');
  if (bits !== undefined) return isWithin(host, network, Number(bits));
  const { name, port: only = port } = splitPort(entry);
  if (only !== port) return false;
  const domain = name.replace(/^\*?\.|\.$/g, '');
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}

/** "host:port", "[::1]:port", or either without a port. */
function splitPort(entry: string): { name: string; port?: string } {
  if (isIP(entry) === 6) return { name: entry };
  const [, bracketed, plain = '', port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: bracketed ?? plain, ...(port !== undefined && { port }) };
}

function isWithin(host: string, network: string, bits: number): boolean {
  const family = isIP(host);
  if (family === 0 || isIP(network) !== family) return false;
  if (!Number.isInteger(bits) || bits < 0 || bits > (family === 4 ? 32 : 128)) return false;
  const name = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, bits, name);
  return list.check(host, name);
}
