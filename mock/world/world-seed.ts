// The initial content of a world, as written in a world file (docs/world-files.md).
import type { Channel, EventName } from '../../openapi/generated/types.ts';

/** `Id`: number, or in a program also bigint for an identifier above 2^53. */
export interface WorldSeed<Id = number> {
  tenants: readonly TenantSeed<Id>[];
}

export interface TenantSeed<Id = number> {
  name: string;
  users?: readonly { username: string; password: string }[];
  /** At most five; a key is generated when missing. */
  api_keys?: readonly { name?: string; key?: string }[];
  sites?: readonly SiteSeed<Id>[];
}

export interface SiteSeed<Id = number> {
  /** Assigned when missing, like all other ids. */
  id?: Id;
  name: string;
  /** The published version; 0 when missing. */
  version?: number;
  contents?: readonly { id?: Id; title: string; text?: string; published?: boolean }[];
  submissions?: readonly { id?: Id; form: string; fields?: Readonly<Record<string, unknown>> }[];
  comments?: readonly { id?: Id; author: string; text: string }[];
  subscriptions?: readonly SubscriptionSeed[];
}

/** Its id is assigned in the form of the deployment. */
interface SubscriptionSeed {
  url: string;
  events: readonly EventName[];
  channel: Channel;
  secret?: string;
}
