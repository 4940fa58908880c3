// What a world begins with, as people write it down in a world file (docs/world-files.md).
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
  /** Drawn, where it is not given. */
  key?: string;
}

export interface SiteSeed {
  /** Given out, where it is not given, like all other ids. */
  id?: number;
  name: string;
  /** The published version, 0 unless given. */
  version?: number;
  contents?: readonly { id?: number; title: string; text?: string; published?: boolean }[];
  submissions?: readonly { id?: number; form: string; fields?: Readonly<Record<string, unknown>> }[];
  comments?: readonly { id?: number; author: string; text: string }[];
  subscriptions?: readonly SubscriptionSeed[];
}

/** Its id is given out in the form that the deployment gives them. */
export interface SubscriptionSeed {
  url: string;
  events: readonly EventName[];
  channel: Channel;
  secret?: string;
}
