import type { EventName } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';

/** Options of `sitepub test-receiver`. */
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
  /** A site that the receiver knows, because it may refuse pushes about others. */
  site: { id?: number | bigint; name?: string };
  /** Ids of requirements or checks to run; empty for all. */
  only: readonly string[];
  skip: readonly string[];
  /** The time limit for an answer, in milliseconds. */
  timeoutMs: number;
}
