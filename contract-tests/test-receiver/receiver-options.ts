import type { EventName } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';

/** Options of `sitepub test-receiver`. */
export interface ReceiverOptions {
  url: string;
  /** Without a secret nothing can be signed. */
  secret: string | undefined;
  /** The profile of the deployment that sends to this receiver. */
  profile: Profile;
  /** The events that the receiver is subscribed to; all seven where nobody said. */
  events: readonly EventName[];
  /** Whether somebody said which events those are. */
  knowsEvents: boolean;
  /** A site that the receiver knows: a receiver may refuse pushes about any other. */
  site: { id?: number | bigint; name?: string };
  /** Ids of requirements or checks to which the run is limited; empty for all. */
  only: readonly string[];
  skip: readonly string[];
  /** The longest time, in milliseconds, that an answer may take. */
  timeoutMs: number;
}
