// Part of an application: it has a site published, and hears by webhook when that is done.
import type { Client } from 'sitepub/client';

export interface Publication {
  siteID: number;
  /** Where the service reports to. */
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

/** Gives the number of the version that is being published. */
export async function publish(client: Client, siteID: number, note: string): Promise<number> {
  const { version } = await client.POST('/tenant/sites/{siteID}/publish', {
    params: { path: { siteID } },
    body: { note },
  });
  return version;
}
