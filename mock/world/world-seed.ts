// The content of a world file (see docs/guides/mock.md).
import type { Channel, EventName } from '../../openapi/generated/types.ts';

/** In code, `Id` may be bigint for identifiers above 2^53. */
export interface WorldSeed<Id = number> {
  tenants: readonly TenantSeed<Id>[];
}

export interface TenantSeed<Id = number> {
  name: string;
  users?: readonly { username: string; password: string }[];
  /** At most five. A missing `key` is generated. */
  api_keys?: readonly { name?: string; key?: string }[];
  sites?: readonly SiteSeed<Id>[];
}

export interface SiteSeed<Id = number> {
  /** Assigned if missing, like all other ids. */
  id?: Id;
  name: string;
  /** The published version. Default: 0. */
  version?: number;
  contents?: readonly { id?: Id; title: string; text?: string; published?: boolean }[];
  submissions?: readonly { id?: Id; form: string; fields?: Readonly<Record<string, unknown>> }[];
  comments?: readonly { id?: Id; author: string; text: string }[];
  subscriptions?: readonly SubscriptionSeed[];
}

/** The id is assigned in the form that the profile states. */
interface SubscriptionSeed {
  url: string;
  events: readonly EventName[];
  channel: Channel;
  secret?: string;
}
