import type { Profile } from '../../openapi/profile.ts';
import type { Editable } from './collection.ts';
import type { Publication, Site } from './entries.ts';
import type { World } from './world.ts';

type Outcome = 'complete' | 'failed';

interface Begin {
  profile: Profile;
  outcome: Outcome;
  note: string;
  now: number;
}

export function beginPublication(
  world: World,
  site: Editable<Site>,
  { profile, outcome, note, now }: Begin,
): Publication {
  const publication: Publication = {
    id: ++world.counters.publication,
    siteId: site.id,
    version: nextVersion(profile, site, outcome),
    note,
    state: 'running',
    startedAt: now,
  };
  world.publications.set(publication.id, publication);
  return publication;
}

/** Returns the values of the publish event. */
export function finishPublication(
  world: World,
  site: Editable<Site>,
  { id, outcome }: { id: number; outcome: Outcome },
): Record<string, unknown> {
  const publication = world.publications.edit(id);
  const { version } = publication;
  publication.state = outcome;
  if (outcome === 'failed')
    return {
      message: `版本 ${version} 发布失败 / Publishing version ${version} failed: a template could not be rendered.`,
    };
  const pages = countPages(world, site);
  publication.pages = pages;
  // Two publishes may end in another order than they started.
  site.version = Math.max(site.version, version);
  const message = `已发布 ${pages} 个页面 / Published ${pages} ${pages === 1 ? 'page' : 'pages'} as version ${version}.`;
  return { message, pages, version };
}

function nextVersion({ values }: Profile, site: Editable<Site>, outcome: Outcome): number {
  const isAgain = outcome === 'complete' && site.isUnchanged;
  site.isUnchanged = outcome === 'complete';
  if (isAgain && values['publish.unchanged'] === 'same-version') return site.lastVersion;
  return ++site.lastVersion;
}

/** The home page, and one page for each published content. */
function countPages({ contents }: World, site: Site): number {
  let pages = 1;
  for (const { state } of contents.of(site.id).values()) if (state === 'published') pages++;
  return pages;
}

/** 0 for a synchronous publish on a manual clock, whose caller would otherwise wait forever. */
export function publishMs({ values }: Profile, { clock }: World): number {
  if (values['publish.mode'] === 'synchronous' && clock.mode === 'manual') return 0;
  return values['publish.duration'] * 1000;
}
