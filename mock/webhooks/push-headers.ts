import type { Profile } from '../../openapi/profile.ts';
import { version } from '../../openapi/version.ts';
import type { Delivery } from '../world.ts';

/** The header of one attempt. The timestamp is that of the attempt; the signature does not cover it. */
export function pushHeaders(
  { event, signature }: Delivery,
  now: number,
  profile: Profile,
): Record<string, string> {
  const inSeconds = profile.values['webhook.timestamp-unit'] === 'seconds';
  const named = {
    'X-Webhook-Event': event,
    'X-Webhook-Timestamp': String(inSeconds ? Math.floor(now / 1000) : now),
  };
  const isNamed =
    signature !== undefined || profile.values['webhook.unsigned-headers'] === 'event-and-timestamp';
  return {
    'Content-Type': profile.values['webhook.content-type'],
    'User-Agent': `sitepub-mock/${version}`,
    ...(isNamed && named),
    ...(signature !== undefined && { 'X-Webhook-Signature': signature }),
  };
}
