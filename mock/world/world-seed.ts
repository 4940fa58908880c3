// The initial content of a world, as written in a world file (docs/world-files.md).
import type { Channel, EventName } from '../../openapi/generated/types.ts';

export interface WorldSeed {
  tenants: readonly TenantSeed[];
}

export interface TenantSeed {
  name: string;
  users?: readonly { username: string; password: string }[];
  /** At most five. */
  api_keys?: readonly ApiKeySeed[];
  sites?: readonly SiteSeed[];
}

export interface ApiKeySeed {
  name?: string;
  /** Generated when missing. */
  key?: string;
}

export interface SiteSeed {
  /** Assigned when missing, like all other ids. */
  id?: number;
  name: string;
  /** The published version; 0 when missing. */
  version?: number;
  contents?: readonly { id?: number; title: string; text?: string; published?: boolean }[];
  submissions?: readonly { id?: number; form: string; fields?: Readonly<Record<string, unknown>> }[];
  comments?: readonly { id?: number; author: string; text: string }[];
  subscriptions?: readonly SubscriptionSeed[];
}

/** Its id is assigned in the form of the deployment. */
interface SubscriptionSeed {
  url: string;
  events: readonly EventName[];
  channel: Channel;
  secret?: string;
}
