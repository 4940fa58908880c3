import type { Call, Values } from '../service.ts';
import { deleteWith } from '../world/collections.ts';
import type { Site } from '../world/entries.ts';
import type { Inputs } from './inputs.ts';
import { callingTenant, siteOf } from './lookups.ts';
import { answerList, listedAt } from './pages.ts';

export function createSite(call: Call<Inputs['createSite']>): Values {
  return addSite(call, { name: call.input.name });
}

export function importSite(call: Call<Inputs['importSite']>): Values {
  const { name, source } = call.input;
  return addSite(call, { name, source });
}

export function listSites(call: Call<Inputs['listSites']>): Values {
  const tenantId = callingTenant(call);
  const at = listedAt(call);
  const sites = [...call.world.sites.of(tenantId).values()].filter(({ createdAt }) => createdAt <= at);
  return answerList(call, sites, (site) => ({ ...site }));
}

export function getSite(call: Call<Inputs['getSite']>): Values {
  return { ...siteOf(call, call.input.siteID) };
}

/** Deletes all that belongs to the site, too, but leaves its deliveries in the log. */
export function deleteSite(call: Call<Inputs['deleteSite']>): Values {
  const { id } = siteOf(call, call.input.siteID);
  deleteWith(call.world, 'sites', id);
  call.world.sites.delete(id);
  return {};
}

function addSite(call: Call<unknown>, given: Pick<Site, 'name' | 'source'>): Values {
  const { world, now } = call;
  const tenantId = callingTenant(call);
  const id = ++world.counters.site;
  const site: Site = { id, tenantId, ...given, version: 0, lastVersion: 0, createdAt: now };
  world.sites.set(id, site);
  return { ...site };
}
