// Whether somebody listens at an address, and whether that speaks TLS. Nothing is sent but what opens a connection.
import { connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** How long a connection may take to be opened, in milliseconds; an answer may take longer. */
export const connectMs = 3_000;

interface Failure {
  code: string;
  /** In words. */
  problem: string;
}

const problems: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'nobody listens there',
  ETIMEDOUT: `no connection within ${connectMs / 1_000} s`,
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'no way leads there',
};

/** Opens a connection and closes it again; returns why that fails. */
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

/** Whether the server at an address answers in TLS; undefined where it can't be told. Certificates are not looked at: nothing is sent. */
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
    socket.on('error', (error: NodeJS.ErrnoException) => end(tellsOfTls(error)));
  });
}

/** An alert is sent by a server of TLS alone; an answer that is none of TLS is told by its first bytes. */
function tellsOfTls({ code = '', message }: NodeJS.ErrnoException): boolean | undefined {
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
