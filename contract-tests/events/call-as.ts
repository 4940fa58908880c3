// Who causes an event: the user of the session, or an API key.
import type { OperationId } from '../../openapi/operations.ts';
import type { CallOptions } from '../calls/call.ts';
import { callProfileOperation, refusedCall } from '../calls/profile-calls.ts';
import type { Context } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';

/** A run causes each event twice: first with short texts outside ASCII, then with other texts, and with an API key. */
export type Round = 'first' | 'again';

/** A call of a round. */
interface RoundCall {
  id: OperationId;
  round: Round | undefined;
}

/** Whoever causes an event, it is pushed: the second time an API key does, where there is one and the deployment lets it. */
export async function sendAs(
  context: Context,
  { id, round }: RoundCall,
  send: (options: Pick<CallOptions, 'token'>) => Promise<Exchange>,
): Promise<Exchange> {
  const { apiKey } = context.options;
  const takesKey = context.operations.get(id)?.auth === 'bearer';
  if (round !== 'again' || apiKey === undefined || !takesKey) return send({});
  const byKey = await send({ token: apiKey });
  return succeeded(byKey) ? byKey : send({});
}

/** The same for a call that must succeed: throws NotVerified where it is refused. */
export async function callAs(
  context: Context,
  call: RoundCall,
  options: Parameters<typeof callProfileOperation>[2],
): Promise<Exchange> {
  const exchange = await sendAs(context, call, (by) =>
    callProfileOperation(context, call.id, { ...options, ...by }),
  );
  if (succeeded(exchange)) return exchange;
  throw refusedCall(context, exchange);
}
