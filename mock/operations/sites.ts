// A publish is answered with its future version number; an event reports how it ended.
import { scheduleJob } from '../clock/jobs.ts';
import { publishUnderWay, unknownResource } from '../http/api-errors.ts';
import type { Call, Mock, Values } from '../service.ts';
import { emitEvent } from '../webhooks/event-values.ts';
import { deleteWith } from '../world/collections.ts';
import type { Site } from '../world/entries.ts';
import { beginPublication, finishPublication, publishMs } from '../world/publications.ts';
import { callingTenant, editSiteOf, type Id, type OfSite, siteOf } from './lookups.ts';
import { answerList, listedAt, type Page } from './pages.ts';

export function createSite(call: Call<{ name: string }>): Values {
  return addSite(call, { name: call.input.name });
}

export function importSite(call: Call<{ name: string; source: string }>): Values {
  const { name, source } = call.input;
  return addSite(call, { name, source });
}

export function listSites(call: Call<Page>): Values {
  const tenantId = callingTenant(call);
  const at = listedAt(call);
  const sites = [...call.world.sites.of(tenantId).values()].filter(({ createdAt }) => createdAt <= at);
  return answerList(call, sites, (site) => ({ ...site }));
}

export function getSite(call: Call<OfSite>): Values {
  return { ...siteOf(call, call.input.siteID) };
}

/** Its deliveries stay in the log. */
export function deleteSite(call: Call<OfSite>): Values {
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

export function publishSite(call: Call<OfSite & { note?: string }>): Values {
  return startPublication(call, 'complete');
}

export function failPublish(call: Call<OfSite & { note?: string }>): Values {
  return startPublication(call, 'failed');
}

/** The site may have been deleted since. */
export function endPublication(
  mock: Pick<Mock, 'world' | 'profile' | 'clock' | 'dispatcher'>,
  id: number,
  outcome: 'complete' | 'failed',
): void {
  const { publications, sites } = mock.world;
  const publication = publications.get(id);
  if (publication?.state !== 'running' || !sites.has(publication.siteId)) return;
  const site = sites.edit(publication.siteId);
  const values = finishPublication(mock.world, site, { id, outcome });
  emitEvent(mock, site, { event: outcome === 'failed' ? 'publish.failed' : 'publish.complete', values });
}

function startPublication(call: Call<OfSite & { note?: string }>, outcome: 'complete' | 'failed'): Values {
  const { world, now, input, scheduler } = call;
  const site = editSiteOf(call, input.siteID);
  if (call.profile.values['publish.concurrent'] === 'refused') refuseSecond(call, site);
  const publication = beginPublication(world, site, {
    profile: call.profile,
    outcome,
    note: input.note ?? '',
    now,
  });
  const endsAt = now + publishMs(call.profile, world);
  if (endsAt === now && call.profile.values['publish.mode'] === 'synchronous')
    endPublication(call, publication.id, outcome);
  else scheduleJob(world, endsAt, { kind: 'end-publication', publicationId: publication.id, outcome });
  scheduler.wake();
  return { version: publication.version };
}

/** For this time after a publish began, another one is refused. */
const pauseMs = 5000;

function refuseSecond({ world, now }: Call<unknown>, { id }: Site): void {
  for (const { state, startedAt } of world.publications.of(id).values())
    if (state === 'running' || now < startedAt + pauseMs) throw publishUnderWay();
}

/** Finds the latest one, since a profile may give the same version to several. */
export function getPublish(call: Call<OfSite & { version: Id }>): Values {
  const { id } = siteOf(call, call.input.siteID);
  const found = [...call.world.publications.of(id).values()].findLast(
    ({ version }) => String(version) === String(call.input.version),
  );
  if (!found) throw unknownResource('publish', call.input.version);
  const { version, state, pages } = found;
  return { version, state, pages };
}
