// Who causes an event: the user of the session, or an API key.
import type { OperationId } from '../../openapi/operations.ts';
import { callToEnd } from '../calls/profile-calls.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { settle } from '../core/settled.ts';

/** A run causes each event twice: first with short texts outside ASCII, then with other texts, and with an API key. */
export type Round = 'first' | 'again';

/** Whoever causes an event, it is pushed: the second time an API key does, where there is one and the deployment lets it. */
export async function callAs(
  context: Context,
  { id, round }: { id: OperationId; round: Round | undefined },
  options: Parameters<typeof callToEnd>[2],
): Promise<Exchange> {
  const { apiKey } = context.options;
  const takesKey = context.operations.get(id)?.auth === 'bearer';
  if (round !== 'again' || apiKey === undefined || !takesKey) return callToEnd(context, id, options);
  const byKey = await settle(() => callToEnd(context, id, { ...options, token: apiKey }));
  return byKey.error instanceof NotVerified ? callToEnd(context, id, options) : byKey.value();
}
