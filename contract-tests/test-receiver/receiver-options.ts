import type { EventName } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';

/** What a test of a receiver is told. */
export interface ReceiverOptions {
  url: string;
  /** Undefined where there is none: then nothing can be signed. */
  secret: string | undefined;
  /** What the pushes of the deployment look like whose receiver this is. */
  profile: Profile;
  /** The events that the receiver is subscribed to. */
  events: readonly EventName[];
  /** Requirement or check ids to which the run is limited; empty for all. */
  only: readonly string[];
  skip: readonly string[];
  /** How long an answer may take, in milliseconds. */
  timeoutMs: number;
}
