import { randomUUID } from 'node:crypto';
import { call } from '../../calls/call.ts';
import type { Context } from '../../context.ts';
import { areAlike, type Exchange } from '../../core/exchange.ts';
import { firstChosenEvent } from '../../push-receiver/read-push.ts';
import { unassignedId } from '../../subscriptions/nobodys-ids.ts';

/** Whether a refusal has the same status and code as the answer to an unknown path. */
export async function isLikeUnknownPath(context: Context, refusal: Exchange): Promise<boolean> {
  const { request } = refusal;
  const url = `${context.options.baseUrl}/${randomUUID()}`;
  const response = await context.send({ ...request, url, body: request.body && '{}' });
  return areAlike(refusal, { ...refusal, response });
}

/** Tests a subscription that does not exist: a documented call without effect whose answer depends on token and site. */
export function askForNobodysSubscription(
  context: Context,
  token: string,
  siteID: unknown = context.siteId,
): Promise<Exchange> {
  const values = { siteID, id: unassignedId, event: firstChosenEvent };
  return call(context, 'testSubscription', { values, token });
}
