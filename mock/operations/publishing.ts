// Publishing: a call is answered with the version number that it will have, and what came of it is told by an event.
import { scheduleJob } from '../clock/jobs.ts';
import type { Call, Service, Values } from '../service.ts';
import { bounds, keepNewest } from '../world/bounds.ts';
import type { Publication, Site } from '../world/world.ts';
import { emitEvent } from './emit-event.ts';
import type { Inputs } from './inputs.ts';
import { siteOf } from './lookups.ts';

export function publishSite(call: Call<Inputs['publishSite']>): Values {
  return startPublication(call, 'complete');
}

export function failPublish(call: Call<Inputs['failPublish']>): Values {
  return startPublication(call, 'failed');
}

/** Ends a publication that is running. Its site may have been deleted meanwhile. */
export function endPublication(service: Service, id: number, outcome: 'complete' | 'failed'): void {
  const publication = service.world.publications.get(id);
  const site = publication && service.world.sites.get(publication.siteId);
  if (publication?.state !== 'running' || !site) return;
  publication.state = outcome;
  if (outcome === 'failed') tellFailure(service, site, publication);
  else tellSuccess(service, site, publication);
}

function startPublication(call: Call<Inputs['publishSite']>, outcome: 'complete' | 'failed'): Values {
  const { world, now, input, scheduler: timekeeper } = call;
  const site = siteOf(call, input.siteID);
  const publication: Publication = {
    id: ++world.counters.publication,
    siteId: site.id,
    version: ++site.lastVersion,
    note: input.note ?? '',
    state: 'running',
    startedAt: now,
  };
  world.publications.set(publication.id, publication);
  keepNewest(world.publications, bounds.publications, ({ state }) => state === 'running');
  if (call.profile.values['publish.mode'] === 'synchronous') endPublication(call, publication.id, outcome);
  else scheduleJob(world, now, { kind: 'end-publication', publicationId: publication.id, outcome });
  timekeeper.wake();
  return { version: publication.version };
}

function tellSuccess(service: Service, site: Site, publication: Publication): void {
  const { version } = publication;
  publication.pages = countPages(service, site);
  // Two publishes may end in another order than they began.
  site.version = Math.max(site.version, version);
  const pages = publication.pages;
  const message = `已发布 ${pages} 个页面 / Published ${pages} ${pages === 1 ? 'page' : 'pages'} as version ${version}.`;
  emitEvent(service, site, { event: 'publish.complete', values: { message, pages, version } });
}

function tellFailure(service: Service, site: Site, { version }: Publication): void {
  const message = `版本 ${version} 发布失败 / Publishing version ${version} failed: a template could not be rendered.`;
  emitEvent(service, site, { event: 'publish.failed', values: { message } });
}

/** The home page, and one for each published content. */
function countPages({ world }: Service, site: Site): number {
  let pages = 1;
  for (const { siteId, state } of world.contents.values())
    if (siteId === site.id && state === 'published') pages++;
  return pages;
}
