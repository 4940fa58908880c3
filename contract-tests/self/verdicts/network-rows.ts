import type { Message, Tamper } from '../tampering-proxy.ts';
import { row, type VerdictRow } from './verdict-row.ts';

const full = { tier: 'full', cases: 4 } as const;

export const networkRows: readonly VerdictRow[] = [
  row('a gateway that answers the first login', { passes: ['LOGIN-1', 'HOOK-1'] }, () => ({
    tamper: () => gatewayAt(isLogin, 1),
    options: { only: ['LOGIN-1', 'HOOK-1'] },
  })),
  ...[3, 20, 50, 90].map<VerdictRow>((count) =>
    row(
      `a gateway that answers creation ${count} of a subscription`,
      { passes: ['LOGIN-1', 'ENV-7'] },
      () => ({ tamper: () => gatewayAt(isCreation, count), options: full }),
    ),
  ),
  row('a gateway that answers every tenth creation of a subscription', { fails: ['ENV-7'] }, () => ({
    tamper: () => gatewayAt(isCreation, 10, { isEach: true }),
    options: full,
  })),
];

const isLogin = ({ path }: Message) => path.endsWith('/auth/tenant/login');
const isCreation = ({ method, path }: Message) => method === 'POST' && path.endsWith('/webhooks');

/** Answers one call, or each nth one, without forwarding it. */
function gatewayAt(isMeant: (message: Message) => boolean, number: number, { isEach = false } = {}): Tamper {
  let count = 0;
  const page = Buffer.from('<html><h1>502 Bad Gateway</h1></html>');
  const reply = { status: 502, headers: { 'content-type': 'text/html' }, body: page };
  return (message, forward) => {
    if (!isMeant(message)) return forward(message);
    count++;
    return count === number || (isEach && count % number === 0) ? reply : forward(message);
  };
}
