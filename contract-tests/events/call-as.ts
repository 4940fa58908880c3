// Who causes an event: the user of the session, or an API key.
import type { OperationId } from '../../openapi/operations.ts';
import { callToEnd } from '../calls/profile-calls.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { settle } from '../core/settled.ts';

/** A run causes each event twice: first with short texts outside ASCII, then with other texts, and with an API key. */
export type Round = 'first' | 'again';

/** Who causes an event: the second time an API key, where there is one and the operation accepts keys. */
export function callerOf(
  { options: { apiKey }, operations }: Context,
  id: OperationId,
  round: Round | undefined,
): { token?: string } {
  const takesKey = operations.get(id)?.auth === 'bearer';
  return round === 'again' && apiKey !== undefined && takesKey ? { token: apiKey } : {};
}

/** Whoever causes an event, it is pushed. Where an API key is refused, the user of the session causes it. */
export async function callAs(
  context: Context,
  { id, round }: { id: OperationId; round: Round | undefined },
  options: Parameters<typeof callToEnd>[2],
): Promise<Exchange> {
  const caller = callerOf(context, id, round);
  if (!('token' in caller)) return callToEnd(context, id, options);
  const byKey = await settle(() => callToEnd(context, id, { ...options, ...caller }));
  return byKey.error instanceof NotVerified ? callToEnd(context, id, options) : byKey.value();
}
