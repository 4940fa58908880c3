import { call } from '../../calls/call.ts';
import type { Context } from '../../context.ts';
import type { Exchange } from '../../core/exchange.ts';
import { firstChosenEvent } from '../../push-receiver/read-push.ts';
import { unassignedId } from '../../subscriptions/nobodys-ids.ts';

/** Asks for the test of a subscription that nobody has: a documented call that tells a good token or site from a bad one, and does nothing. */
export function askForNobodysSubscription(
  context: Context,
  token: string,
  siteID: unknown = context.siteId,
): Promise<Exchange> {
  const values = { siteID, id: unassignedId, event: firstChosenEvent };
  return call(context, 'testSubscription', { values, token });
}
