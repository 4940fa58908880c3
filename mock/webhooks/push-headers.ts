import type { Profile } from '../../openapi/profile.ts';
import { version } from '../../openapi/version.ts';
import type { Delivery } from '../world/entries.ts';

/** The headers of one attempt. The signature does not cover the timestamp, so a retry can carry a new one. */
export function pushHeaders(delivery: Delivery, now: number, profile: Profile): Record<string, string> {
  const { event, signature } = delivery;
  const inSeconds = profile.values['webhook.timestamp-unit'] === 'seconds';
  const keepsTime = profile.values['webhook.retry-timestamp'] === 'same';
  const at = keepsTime ? (delivery.attempts[0]?.at ?? now) : now;
  const eventHeaders = {
    'X-Webhook-Event': event,
    'X-Webhook-Timestamp': String(inSeconds ? Math.floor(at / 1000) : at),
  };
  const namesEvent =
    signature !== undefined || profile.values['webhook.unsigned-headers'] === 'event-and-timestamp';
  return {
    'Content-Type': profile.values['webhook.content-type'],
    'User-Agent': `sitepub-mock/${version}`,
    ...(namesEvent && eventHeaders),
    ...(signature !== undefined && { 'X-Webhook-Signature': signature }),
  };
}
