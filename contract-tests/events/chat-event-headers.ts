// On the chat channels an event is named by a header alone, if at all.
import type { Channel } from '../../openapi/generated/types.ts';
import type { Context } from '../context.ts';
import { eventNamed } from '../push-receiver/read-push.ts';
import type { EventSubscriptions } from './event-subscriptions.ts';

/** Whether the header of a channel can be told events by: not where it never names the one event that was chosen there. */
export function namesItsEvent(
  { receiver }: Context,
  { chatOnly }: Pick<EventSubscriptions, 'chatOnly'>,
  channel: Channel,
): boolean {
  const chosen = chatOnly.get(channel);
  if (!chosen || chosen.kept.error) return true;
  const named = (receiver?.pushesTo(chosen.kept.value().path) ?? []).map(eventNamed);
  const some = named.filter((name) => name !== undefined);
  return some.length === 0 || some.includes(chosen.event);
}
