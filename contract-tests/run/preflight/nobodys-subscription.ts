import { call } from '../../calls/call.ts';
import type { Context } from '../../context.ts';
import type { Exchange } from '../../core/exchange.ts';
import { firstChosenEvent } from '../../push-receiver/read-push.ts';
import { unassignedId } from '../../subscriptions/nobodys-ids.ts';

/** Tests a subscription that does not exist: a documented call without effect whose answer depends on token and site. */
export function askForNobodysSubscription(
  context: Context,
  token: string,
  siteID: unknown = context.siteId,
): Promise<Exchange> {
  const values = { siteID, id: unassignedId, event: firstChosenEvent };
  return call(context, 'testSubscription', { values, token });
}
