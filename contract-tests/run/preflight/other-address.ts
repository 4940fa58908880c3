// "Did you mean …?": looks for the service at addresses similar to a wrong one. Sends no credentials.
import { randomUUID } from 'node:crypto';
import { isObject } from '../../../openapi/json.ts';
import { isThisMachine } from '../../../openapi/this-machine.ts';
import { createSender } from '../../deployment/http-client.ts';

const version = '/api/v1';
/** The port of `sitepub mock`. */
const mockPort = 4010;
/** The time limit for an answer, in milliseconds. */
const answerMs = 1_500;

/** The part of the address that may be wrong: its path, or its scheme, port and path. */
type Doubt = 'path' | 'origin';

/** The nearest similar address at which the service answers. */
export async function findOtherAddress(baseUrl: string, doubt: Doubt): Promise<string | undefined> {
  const addresses = nearAddresses(baseUrl, doubt);
  const answers = await Promise.all(addresses.map(answersLogin));
  return addresses.find((_, index) => answers[index]);
}

/** Similar addresses, the nearest first. */
export function nearAddresses(baseUrl: string, doubt: Doubt): string[] {
  const url = new URL(baseUrl);
  const origins = doubt === 'path' ? [url.origin] : otherOrigins(url);
  const addresses = origins.flatMap((origin) => nearPaths(url.pathname).map((path) => origin + path));
  return [...new Set(addresses)].filter((address) => address !== baseUrl);
}

function nearPaths(path: string): string[] {
  const plain = path.replace(/\/+$/, '');
  const end = plain.indexOf(version) + version.length;
  const whole = plain.includes(version)
    ? plain.slice(0, end)
    : `${plain.replace(/(\/api|\/v\d+)$/, '')}${version}`;
  return [whole, ...(plain.includes(version) ? [] : [plain + version]), version];
}

/** The same host with the other scheme, the default port and, on this machine, the port of the mock. */
function otherOrigins({ protocol, hostname, port, origin }: URL): string[] {
  const other = protocol === 'https:' ? 'http:' : 'https:';
  const origins = [
    ...(port === '' ? [] : [`${other}//${hostname}:${port}`]),
    `${protocol}//${hostname}`,
    `${other}//${hostname}`,
    ...(isThisMachine(hostname) ? [`http://${hostname}:${mockPort}`] : []),
  ];
  return origins.filter((one) => one !== origin);
}

/** Whether the login is there: it answers with the envelope, and differently from an unknown path. */
export async function answersLogin(address: string): Promise<boolean> {
  const path = '/auth/tenant/login';
  const [login, invented] = await Promise.all([
    send(`${address}${path}`),
    send(`${address}${path}-${randomUUID()}`),
  ]);
  return Boolean(login) && invented !== undefined && login !== invented;
}

/** Status and code of the answer to a login without credentials; "" without an envelope, undefined without an answer. */
async function send(url: string): Promise<string | undefined> {
  try {
    const headers = { 'content-type': 'application/json' };
    const ask = createSender({ baseUrl: url }, answerMs);
    const { status, json } = await ask({ method: 'POST', url, headers, body: '{}' });
    const isEnvelope = isObject(json) && Number.isInteger(json.code) && typeof json.message === 'string';
    return isEnvelope ? `${status} ${json.code}` : '';
  } catch {
    return undefined;
  }
}
