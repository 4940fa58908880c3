// The choices of events that the run's subscriptions have shown to be possible.
import { eventNames } from '../../openapi/event-names.ts';
import type { Context } from '../context.ts';
import { succeeded } from '../core/exchange.ts';

/** Whether a subscription on the channel custom with such a choice of events was created so far. */
export function wasChosen(
  { requests }: Pick<Context, 'requests'>,
  isSuch: (events: readonly unknown[]) => boolean,
): boolean {
  return requests.some(({ operation, values: { channel, events }, exchange }) => {
    const isCreated = operation === 'createSubscription' && exchange !== undefined && succeeded(exchange);
    return isCreated && channel === 'custom' && Array.isArray(events) && isSuch(events);
  });
}

/** The same of all seven events. */
export function wasEveryEventChosen(context: Pick<Context, 'requests'>): boolean {
  return wasChosen(context, (events) => eventNames.every((event) => events.includes(event)));
}
