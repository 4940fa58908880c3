// Publishing: a call is answered with its future version number, and an event reports the result.
import { scheduleJob } from '../clock/jobs.ts';
import { publishUnderWay } from '../http/api-errors.ts';
import type { Call, OperationContext, Values } from '../service.ts';
import { bounds, keepNewest } from '../world/bounds.ts';
import { keepBytes } from '../world/kept-bytes.ts';
import { publishMs } from '../world/publish-time.ts';
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

/** Ends a running publication. Its site may have been deleted meanwhile. */
export function endPublication(context: OperationContext, id: number, outcome: 'complete' | 'failed'): void {
  const publication = context.world.publications.get(id);
  const site = publication && context.world.sites.get(publication.siteId);
  if (publication?.state !== 'running' || !site) return;
  publication.state = outcome;
  if (outcome === 'failed') emitFailure(context, site, publication);
  else emitSuccess(context, site, publication);
}

function startPublication(call: Call<Inputs['publishSite']>, outcome: 'complete' | 'failed'): Values {
  const { world, now, input, scheduler } = call;
  const site = siteOf(call, input.siteID);
  if (call.profile.values['publish.concurrent'] === 'refused') refuseSecond(call, site);
  const publication: Publication = {
    id: ++world.counters.publication,
    siteId: site.id,
    version: nextVersion(call, site, outcome),
    note: input.note ?? '',
    state: 'running',
    startedAt: now,
  };
  world.publications.set(publication.id, publication);
  keepNewest(world.publications, bounds.publications, ({ state }) => state === 'running');
  keepBytes(world, 'records', publication);
  const endsAt = now + publishMs(call.profile, world);
  if (endsAt === now && call.profile.values['publish.mode'] === 'synchronous')
    endPublication(call, publication.id, outcome);
  else scheduleJob(world, endsAt, { kind: 'end-publication', publicationId: publication.id, outcome });
  scheduler.wake();
  return { version: publication.version };
}

/** Another publish may begin when the last one has ended, and not at once. */
const pauseMs = 5000;

function refuseSecond({ world, now }: Call<unknown>, { id }: Site): void {
  for (const { siteId, state, startedAt } of world.publications.values())
    if (siteId === id && (state === 'running' || now < startedAt + pauseMs)) throw publishUnderWay();
}

function nextVersion({ profile }: Call<unknown>, site: Site, outcome: 'complete' | 'failed'): number {
  const isAgain = outcome === 'complete' && site.isUnchanged;
  site.isUnchanged = outcome === 'complete';
  if (isAgain && profile.values['publish.unchanged'] === 'same-version') return site.lastVersion;
  return ++site.lastVersion;
}

function emitSuccess(context: OperationContext, site: Site, publication: Publication): void {
  const { version } = publication;
  publication.pages = countPages(context, site);
  // Two publishes may end in another order than they started.
  site.version = Math.max(site.version, version);
  const pages = publication.pages;
  const message = `已发布 ${pages} 个页面 / Published ${pages} ${pages === 1 ? 'page' : 'pages'} as version ${version}.`;
  emitEvent(context, site, { event: 'publish.complete', values: { message, pages, version } });
}

function emitFailure(context: OperationContext, site: Site, { version }: Publication): void {
  const message = `版本 ${version} 发布失败 / Publishing version ${version} failed: a template could not be rendered.`;
  emitEvent(context, site, { event: 'publish.failed', values: { message } });
}

/** The home page, and one for each published content. */
function countPages({ world }: OperationContext, site: Site): number {
  let pages = 1;
  for (const { siteId, state } of world.contents.values())
    if (siteId === site.id && state === 'published') pages++;
  return pages;
}
