// On the chat channels only a header names the event, if anything does.
import type { Channel } from '../../openapi/generated/types.ts';
import type { Context } from '../context.ts';
import { eventNamed } from '../push-receiver/read-push.ts';
import type { EventSubscriptions } from './event-subscriptions.ts';

/** Whether the header names the events of a channel: not where it never names the one event that a subscription chose there. */
export function namesItsEvent(
  { receiver }: Context,
  { chatOnly }: Pick<EventSubscriptions, 'chatOnly'>,
  channel: Channel,
): boolean {
  const chosen = chatOnly.get(channel);
  if (!chosen || chosen.subscription.error) return true;
  const named = (receiver?.pushesTo(chosen.subscription.value().path) ?? []).map(eventNamed);
  return named.every((name) => name === undefined) || named.includes(chosen.event);
}
