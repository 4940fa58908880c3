// What a world begins with, as people write it down in a world file (docs/world-files.md).
import type { Channel, EventName } from '../openapi/generated/types.ts';

export interface WorldSeed {
  tenants: TenantSeed[];
}

export interface TenantSeed {
  name: string;
  users?: { username: string; password: string }[];
  /** At most five. A key that is not given is drawn. */
  api_keys?: { name?: string; key?: string }[];
  sites?: SiteSeed[];
}

export interface SiteSeed {
  /** Given out, where it is not given, like all other ids. */
  id?: number;
  name: string;
  /** The published version, 0 unless given. */
  version?: number;
  contents?: { id?: number; title: string; text?: string; published?: boolean }[];
  submissions?: { id?: number; form: string; fields?: Record<string, unknown> }[];
  comments?: { id?: number; author: string; text: string }[];
  subscriptions?: { url: string; events: EventName[]; channel: Channel; secret?: string }[];
}
