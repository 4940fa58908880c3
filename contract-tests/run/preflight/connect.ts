// Checks that a server listens at an address, and whether it speaks TLS. Opens connections, but sends no data.
import { connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The time limit for opening a connection, in milliseconds. */
export const connectMs = 3_000;

interface Failure {
  code: string;
  /** In words, for example "connection refused". */
  problem: string;
}

const problems: Readonly<Record<string, string>> = {
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name could not be resolved',
  ECONNREFUSED: 'connection refused',
  ETIMEDOUT: `no connection within ${connectMs / 1_000} s`,
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the host',
};

/** Opens and closes a connection. Returns the failure, if any. */
export function tryToConnect(address: string): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    const socket = connect(hostAndPort(address));
    const end = (failure?: Failure) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(failure);
    };
    const fail = (code: string) => end({ code, problem: problems[code] ?? code });
    const timer = setTimeout(() => fail('ETIMEDOUT'), connectMs);
    socket.once('connect', () => end());
    socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
  });
}

/** Whether the server speaks TLS; undefined if unclear. Ignores certificates, because it sends no data. */
export function speaksTls(address: string): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    const { host, port } = hostAndPort(address);
    const servername = isIP(host) ? {} : { servername: host };
    const socket = connectTls({ host, port, ...servername, rejectUnauthorized: false });
    const end = (answer?: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end(), connectMs);
    socket.once('secureConnect', () => end(true));
    socket.on('error', (error: NodeJS.ErrnoException) => end(isTlsError(error)));
  });
}

/** Only a TLS server sends alerts; OpenSSL recognizes other answers by their first bytes. */
function isTlsError({ code = '', message }: NodeJS.ErrnoException): boolean | undefined {
  if (/_ALERT_/.test(code)) return true;
  return /wrong version number|packet length too long|http request/i.test(message) ? false : undefined;
}

function hostAndPort(address: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(address);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  };
}
