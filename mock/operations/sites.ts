import type { Call, Inputs, Values } from './call.ts';
import { callingTenant, siteOf } from './lookups.ts';

export function createSite(call: Call<Inputs['createSite']>): Values {
  const tenantId = callingTenant(call);
  const id = ++call.world.counters.site;
  const site = { id, tenantId, name: call.input.name, version: 0 };
  call.world.sites[id] = site;
  return site;
}

export function listSites(call: Call<Inputs['listSites']>): Values {
  const tenantId = callingTenant(call);
  const list = Object.values(call.world.sites).filter((site) => site.tenantId === tenantId);
  return { list, total: list.length };
}

export function getSite(call: Call<Inputs['getSite']>): Values {
  return { ...siteOf(call, call.input.siteID) };
}

/** Its subscriptions go with it; what was pushed stays in the log. */
export function deleteSite({ world, ...call }: Call<Inputs['deleteSite']>): Values {
  const site = siteOf({ ...call, world }, call.input.siteID);
  for (const [key, { siteId }] of Object.entries(world.subscriptions)) {
    if (siteId === site.id) delete world.subscriptions[key];
  }
  delete world.sites[site.id];
  return {};
}
