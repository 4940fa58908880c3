// Subscriptions of another tenant, on its own site.
import { eventNames } from '../../openapi/event-names.ts';
import { otherSession } from '../calls/user-session.ts';
import { type Context, once } from '../context.ts';
import { type Settled, settle } from '../core/settled.ts';
import { subscribe } from './create-subscription.ts';
import { staysBehind } from './left-behind.ts';
import type { Subscription } from './subscription-calls.ts';

/** What it is for: checks have one each, unless it would stay. */
type Purpose = 'to look at' | 'to list' | 'for events';

/** A subscription of the other tenant. */
export function subscriptionOfOther(context: Context, purpose: Purpose): Promise<Settled<Subscription>> {
  return settle(() => once(context, subscribeOther, staysBehind(context) ? 'for events' : purpose));
}

async function subscribeOther(context: Context, purpose: Purpose): Promise<Subscription> {
  const { token } = await otherSession(context);
  const siteID = context.options.other?.siteId;
  const events = purpose === 'for events' && { events: [...eventNames] };
  return subscribe(context, { siteID, ...events }, { token });
}
