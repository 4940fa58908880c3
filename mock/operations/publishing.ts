// Publishing: a call is answered with its future version number, and an event reports the result.
import { scheduleJob } from '../clock/jobs.ts';
import { publishUnderWay } from '../http/api-errors.ts';
import type { Call, Mock, Values } from '../service.ts';
import { emitEvent } from '../webhooks/event-values.ts';
import type { Site } from '../world/entries.ts';
import { beginPublication, finishPublication, publishMs } from '../world/publications.ts';
import type { Inputs } from './inputs.ts';
import { editSiteOf } from './lookups.ts';

export function publishSite(call: Call<Inputs['publishSite']>): Values {
  return startPublication(call, 'complete');
}

export function failPublish(call: Call<Inputs['failPublish']>): Values {
  return startPublication(call, 'failed');
}

/** Ends a running publication. Its site may have been deleted meanwhile. */
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

function startPublication(call: Call<Inputs['publishSite']>, outcome: 'complete' | 'failed'): Values {
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

/** Another publish may begin when the last one has ended, and not at once. */
const pauseMs = 5000;

function refuseSecond({ world, now }: Call<unknown>, { id }: Site): void {
  for (const { state, startedAt } of world.publications.of(id).values())
    if (state === 'running' || now < startedAt + pauseMs) throw publishUnderWay();
}
