import { StoreError } from '../engine.ts';

/** Keys are SQLSTATE codes or their classes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const reasons: Readonly<Record<string, string>> = {
  '28': 'the server does not let this user in; check the user and its password',
  '3D000': 'there is no such database; create it',
  '42P01': 'the tables are not there; run `sitepub store migrate`',
  '42501': 'this user may not do that; give it the rights on the tables, or the right to make them',
  '53': 'the server is out of disk, memory or connections; make room there',
  '57P01': 'the server is ending',
  '57P03': 'the server is starting',
};

const network: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'there is no answer',
};

export function explainPostgres(
  error: unknown,
  { place, password }: { place: string; password: string | undefined },
  what: string,
): StoreError {
  const { code = '', message } = error as { code?: string; message: string };
  const reason = reasons[code] ?? reasons[code.slice(0, 2)] ?? network[code] ?? without(message, password);
  // The server refuses errors of these classes for good.
  const isTransient = !/^(?:28|3D|42|22|23)/.test(code);
  return new StoreError(`store ${place} can't be ${what}: ${reason}`, { isTransient, reason: kindOf(code) });
}

/** Messages of the driver and the server may repeat the password. */
function without(message: string, password: string | undefined): string {
  return password === undefined ? message : message.replaceAll(password, '…');
}

function kindOf(code: string): StoreError['reason'] {
  if (code.startsWith('53')) return 'full';
  // Node's own codes are words; the server's have a digit.
  return /\d/.test(code) && !code.startsWith('57') ? 'refused' : 'unreachable';
}
