import type { EventName } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';
import { createSecrets, type Secrets } from '../redaction/redact.ts';

export interface ReceiverOptions {
  url: string;
  /** Needed to sign pushes. */
  secret: string | undefined;
  /** The profile of the deployment that sends to this receiver. */
  profile: Profile;
  /** The events that the receiver subscribes to. Default: all seven. */
  events: readonly EventName[];
  /** Whether the user stated the events. */
  knowsEvents: boolean;
  /** A site that the receiver knows, because it may reject pushes about other sites. */
  site: { id?: number | bigint; name?: string };
  /** Ids of requirements or checks to run; empty for all. */
  only: readonly string[];
  skip: readonly string[];
  /** The time limit for an answer, in milliseconds. */
  timeoutMs: number;
}

/** In characters. Shorter query values, such as the 1 of `?debug=1`, are not keys. */
const shortestKey = 8;

/** The secret, and the query values of the URL, because they may be keys of chat bots or gateways. */
export function secretsOfReceiver({ url, secret }: Pick<ReceiverOptions, 'url' | 'secret'>): Secrets {
  const secrets = createSecrets();
  secrets.add('SITEPUB_WEBHOOK_SECRET', secret);
  for (const [name, value] of new URL(url).searchParams) {
    // A query may consist of a key only.
    const [key, place] = value === '' ? [name, 'query of the address'] : [value, `${name} of the address`];
    if (key.length >= shortestKey) secrets.add(place, key);
  }
  return secrets;
}
