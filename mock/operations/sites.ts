import type { Call, Values } from '../service.ts';
import { bounds, keepNewest } from '../world/bounds.ts';
import { keepBytes } from '../world/kept-bytes.ts';
import type { Site } from '../world/world.ts';
import type { Inputs } from './inputs.ts';
import { callingTenant, siteOf } from './lookups.ts';
import { answerList } from './pages.ts';

export function createSite(call: Call<Inputs['createSite']>): Values {
  return { ...addSite(call, { name: call.input.name }) };
}

export function importSite(call: Call<Inputs['importSite']>): Values {
  const { name, source } = call.input;
  return { ...addSite(call, { name, source }) };
}

export function listSites(call: Call<Inputs['listSites']>): Values {
  const tenantId = callingTenant(call);
  const at = call.now - (call.settings.habits.listLagMs ?? 0);
  const sites = [...call.world.sites.of(tenantId).values()].filter(({ createdAt }) => createdAt <= at);
  return answerList(call, sites, (site) => ({ ...site }));
}

export function getSite(call: Call<Inputs['getSite']>): Values {
  return { ...siteOf(call, call.input.siteID) };
}

/** Deletes all that belongs to the site, too, but leaves its deliveries in the log. */
export function deleteSite(call: Call<Inputs['deleteSite']>): Values {
  const { sites, contents, submissions, comments, publications, subscriptions } = call.world;
  const site = siteOf(call, call.input.siteID);
  for (const entries of [contents, submissions, comments, publications, subscriptions])
    for (const key of entries.of(site.id).keys()) entries.delete(key as never);
  sites.delete(site.id);
  return {};
}

function addSite(call: Call<unknown>, given: Pick<Site, 'name' | 'source'>): Site {
  const { world, now } = call;
  const tenantId = callingTenant(call);
  const id = ++world.counters.site;
  const site: Site = { id, tenantId, ...given, version: 0, lastVersion: 0, createdAt: now };
  world.sites.set(id, site);
  keepNewest(world.sites, bounds.sites);
  keepBytes(world, 'records', site);
  return site;
}
