// Why no answer came, in words that say what to do.
import type { Connection } from '../core/suite-options.ts';
import { placeOf } from './connection.ts';

/** A loss that is certain happens to every request. */
export interface Loss {
  reason: string;
  isCertain: boolean;
}

/** What is known of an error by which a request ended. */
type Fault = Pick<NodeJS.ErrnoException, 'code' | 'message'> & { statusCode?: number };

/** Why a request got no answer. */
export function explainLoss(error: unknown, connection: Connection | undefined): Loss {
  const fault: Fault = error instanceof Error ? error : { message: String(error) };
  const certain =
    explainTunnel(fault, connection) ??
    explainCertificate(fault, connection) ??
    explainAlert(fault, connection);
  if (certain !== undefined) return { reason: certain, isCertain: true };
  const { proxy } = connection ?? {};
  const reason = fault.message.trim();
  if (!proxy) return { reason, isCertain: false };
  return { reason: `${reason} (${sayProxy(proxy)})`, isCertain: false };
}

/** Why a proxy's demand for credentials is no answer of the deployment; undefined where no proxy demands any. */
export function explainDemand(status: number, { proxy }: Connection = {}): Loss | undefined {
  if (status !== 407 || !proxy) return undefined;
  const name = proxy.variable;
  const reason = `the proxy ${placeOf(proxy)} asks for other credentials (407); give them in ${name}, as in http://user:password@host:port`;
  return { reason, isCertain: true };
}

/** "through the proxy http://proxy.example.com:3128 of HTTPS_PROXY; NO_PROXY names what is called directly". */
function sayProxy(proxy: NonNullable<Connection['proxy']>): string {
  return `through the proxy ${placeOf(proxy)} of ${proxy.variable}; NO_PROXY names what is called directly`;
}

function explainTunnel(
  { code, message, statusCode }: Fault,
  connection: Connection = {},
): string | undefined {
  const { proxy } = connection;
  if (code !== 'ERR_PROXY_TUNNEL' || !proxy || statusCode === undefined) return undefined;
  const demand = explainDemand(statusCode, connection);
  if (demand) return demand.reason;
  // Gateway statuses of a proxy may be over in a moment.
  if (statusCode >= 500) return undefined;
  const [, status = String(statusCode)] = /: HTTP\/\S+ (.*)$/.exec(message) ?? [];
  return `the proxy does not lead there: it answered ${status} (${sayProxy(proxy)})`;
}

const unknownIssuer =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/;
const wrongCertificate = /^(CERT_|ERR_TLS_CERT_)/;

function explainCertificate({ code = '', message }: Fault, { proxy }: Connection = {}): string | undefined {
  const ofProxy = proxy?.url.startsWith('https:')
    ? `, NODE_EXTRA_CA_CERTS that of the proxy ${placeOf(proxy)}`
    : '';
  if (unknownIssuer.test(code))
    return `its certificate is signed by an authority that this machine does not trust (${message.split(';')[0]}); --ca FILE names a private one${ofProxy}`;
  return wrongCertificate.test(code) ? `its certificate is not accepted: ${message.trim()}` : undefined;
}

/** In OpenSSL's text, such as "…:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:…:SSL alert number 116". */
const alert = /alert ([a-z ]+):.*SSL alert number (\d+)/;

/** The alerts of TLS that are about a client certificate: https://www.iana.org/assignments/tls-parameters#tls-parameters-6 */
const certificateAlerts: readonly number[] = [40, 41, 42, 43, 44, 45, 46, 48, 116];

function explainAlert({ message }: Fault, { cert }: Connection = {}): string | undefined {
  const [, name = '', number = ''] = alert.exec(message) ?? [];
  if (!certificateAlerts.includes(Number(number))) return undefined;
  if (cert) return `it refused the client certificate ${cert.path} (TLS alert ${name})`;
  const how = Number(number) === 40 ? 'may ask' : 'asks';
  return `it ${how} for a client certificate (TLS alert ${name}); give one with --cert FILE and --key FILE`;
}
