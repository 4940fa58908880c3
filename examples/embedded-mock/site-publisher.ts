// Part of an application: it publishes a site, and learns by webhook when that is done.
import type { Client } from 'sitepub/client';

export interface Publication {
  siteID: number;
  /** The URL that receives the webhooks. */
  callback: string;
  secret: string;
}

export async function subscribe(client: Client, { siteID, callback, secret }: Publication): Promise<number> {
  const { id } = await client.POST('/tenant/sites/{siteID}/webhooks', {
    params: { path: { siteID } },
    body: { url: callback, events: ['publish.complete', 'publish.failed'], channel: 'custom', secret },
  });
  return id;
}

/** Returns the number of the version that is being published. */
export async function publish(client: Client, siteID: number, note: string): Promise<number> {
  const { version } = await client.POST('/tenant/sites/{siteID}/publish', {
    params: { path: { siteID } },
    body: { note },
  });
  return version;
}
