import type { Json } from '../../openapi/json.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { Site } from '../world/entries.ts';

/** An event or a test message, before it is rendered for a subscription. */
export interface PushMessage {
  /** One of the seven events, or the profile's name for a test message. */
  event: string;
  at: number;
  site: Pick<Site, 'id' | 'name'>;
  data: Json;
  /** Set for a test message; `ownBody` when its body on the custom channel differs from that of an event. */
  test?: { ownBody: boolean };
  /** Set for the greeting of a new target. */
  greeting?: { challenge: string };
  /** Its body on the custom channel, kept by what renders it. */
  rendered?: { push: PushMessage; profile: Profile; body: string };
}
