import { isLogin } from '../tampering.ts';
import type { Tamper } from '../tampering-proxy.ts';
import type { VerdictRow } from './verdict-row.ts';

export const networkRows: readonly VerdictRow[] = [
  {
    behaviour: 'a gateway that answers the first login in place of the deployment',
    run: () => ({ tamper: () => gatewayAtFirst(), options: { only: ['LOGIN-1', 'HOOK-1', 'ENV-1'] } }),
    passes: ['LOGIN-1', 'HOOK-1'],
  },
];

function gatewayAtFirst(): Tamper {
  let logins = 0;
  const page = Buffer.from('<html><h1>502 Bad Gateway</h1></html>');
  const reply = { status: 502, headers: { 'content-type': 'text/html' }, body: page };
  return (message, forward) =>
    isLogin({ message, status: 502, code: undefined }) && ++logins === 1 ? reply : forward(message);
}
