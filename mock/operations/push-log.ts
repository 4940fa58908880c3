// The webhook push log (section 6.5).
import type { Call, Values } from '../service.ts';
import type { Attempt, Delivery } from '../world/entries.ts';
import { isoTime } from '../world/time.ts';
import type { Inputs } from './inputs.ts';
import { subscriptionOf } from './lookups.ts';
import { answerList } from './pages.ts';

/** The deliveries of a subscription, newest first. */
export function listDeliveries(call: Call<Inputs['listDeliveries']>): Values {
  const { world, input } = call;
  const subscription = subscriptionOf(call, input.siteID, input.subscriptionID);
  const deliveries = [...world.deliveries.of(subscription.siteId).values()].filter(
    ({ subscriptionId, isGreeting }) => subscriptionId === subscription.id && !isGreeting,
  );
  return answerList(call, deliveries.reverse(), showDelivery);
}

function showDelivery({ id, event, state, createdAt, nextAttemptAt, attempts }: Delivery): Values {
  return {
    id,
    event,
    state,
    created_at: isoTime(createdAt),
    ...(nextAttemptAt !== undefined && { next_attempt_at: isoTime(nextAttemptAt) }),
    attempts: attempts.map(showAttempt),
  };
}

function showAttempt({ at, durationMs, outcome }: Attempt): Values {
  const came =
    'error' in outcome ? { error: outcome.error } : { status: outcome.status, answer: outcome.body };
  return { at: isoTime(at), ...came, duration_ms: durationMs };
}
