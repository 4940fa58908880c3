// How the commands that call a deployment reach it: a proxy, a private authority, a client certificate, a gateway's headers.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import { type Connection, headerVariable, type PemFile } from '../../contract-tests/core/suite-options.ts';
import { secureContextOf } from '../../contract-tests/deployment/secure-context.ts';
import { readCertificates, readPem } from './certificates.ts';
import { dropEmpty } from './deployment-options.ts';
import { type Environment, type Given, readSecret } from './flags.ts';
import { readProxy } from './read-proxy.ts';
import { UsageError } from './usage-error.ts';

/** How the deployment at an address is reached; undefined where directly. Throws UsageError. */
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

/** What OpenSSL refuses otherwise, such as keys that are too short. */
function requireUsable(connection: Connection): void {
  try {
    secureContextOf(connection);
  } catch (error) {
    throw new UsageError(`--ca, --cert and --key can't be used together: ${(error as Error).message}`);
  }
}

function readClientCertificate(given: Given): Pick<Connection, 'cert' | 'key' | 'passphrase'> {
  const cert = readCertificates(given, 'cert');
  if (given.text('key') !== undefined && !cert)
    throw new UsageError('--key needs --cert; pass both');
  if (!cert) return {};
  const passphrase = readSecret('SITEPUB_KEY_PASSPHRASE', given.environment);
  const key = readPem(given, 'key') ?? (cert.pem.includes('PRIVATE KEY-----') ? cert : undefined);
  if (!key)
    throw new UsageError(`--cert needs a private key, and ${cert.path} contains none; add --key`);
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
    // "BEGIN ENCRYPTED PRIVATE KEY", or "Proc-Type: 4,ENCRYPTED" in the older form.
    const isEncrypted = pem.includes('ENCRYPTED');
    if (isEncrypted && passphrase === undefined)
      throw new UsageError(
        `--key: the key in ${path} is encrypted; set SITEPUB_KEY_PASSPHRASE or SITEPUB_KEY_PASSPHRASE_FILE`,
      );
    if (isEncrypted) throw new UsageError(`SITEPUB_KEY_PASSPHRASE does not open the key in ${path}`);
    throw new UsageError(`--key: the key in ${path} can't be read: ${(error as Error).message}`);
  }
}

/** What the suite says itself, or what belongs to one connection alone. */
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

/** What stands behind a colon or an equals sign may be the secret itself, and is not repeated. */
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
