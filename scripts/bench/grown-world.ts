// A world in which one tenant has a few entries of each kind among many foreign ones.
import { createWorldFromSeed } from '../../mock/world/create-world.ts';
import { type Snapshot, toSnapshot } from '../../mock/world/snapshot.ts';
import type { Site, Subscription, World } from '../../mock/world/world.ts';
import type { SiteSeed, WorldSeed } from '../../mock/world/world-seed.ts';
import { accessTo } from './bench-world.ts';

export interface Growth {
  /** Entries of each kind that others have, one a site. */
  foreign: number;
  /** Entries of each kind that the tenant has at its site that calls. */
  own: number;
}

/** The tenant that calls. Its entries are the last ones, since the oldest are dropped when there are too many. */
export const ownNumber = 999_999;

export function growWorld(growth: Growth): Snapshot {
  const { world } = createWorldFromSeed(seedOf(growth), {
    seed: 1,
    clock: { mode: 'real', offset: 0 },
    subscriptionIds: { type: 'integer', scope: 'global' },
  });
  for (const subscription of world.subscriptions.values()) addTraces(world, subscription);
  for (const [username, { tenantId }] of world.users)
    world.sessions.set(`session of ${username}`, { tenantId, username, expiresAt: Date.now() + 3_600_000 });
  return toSnapshot(world);
}

/** What calls leave: a publish and a push that has arrived. */
function addTraces(world: World, { id, siteId, url, channel }: Subscription): void {
  const startedAt = Date.now();
  const publication = ++world.counters.publication;
  world.publications.set(publication, {
    id: publication,
    siteId,
    version: ++(world.sites.get(siteId) as Site).lastVersion,
    note: '',
    state: 'complete',
    startedAt,
    pages: 2,
  });
  const delivery = ++world.counters.delivery;
  world.deliveries.set(delivery, {
    id: delivery,
    siteId,
    subscriptionId: id,
    event: 'form.submit',
    channel,
    isTest: false,
    createdAt: startedAt,
    url,
    body: JSON.stringify({ event: 'form.submit', site_id: siteId, data: { form: 'contact', name: 'Noor' } }),
    state: 'delivered',
    retries: 0,
    nextAttemptAt: undefined,
    attempts: [
      {
        at: startedAt,
        cause: 'event',
        requestHeaders: { 'content-type': 'application/json', 'x-webhook-signature': 'sha256=0123' },
        outcome: { status: 200, body: 'ok' },
        durationMs: 3,
      },
    ],
  });
}

function seedOf({ foreign, own }: Growth): WorldSeed {
  const numbers = [...Array.from({ length: foreign }, (_, index) => index + 1), ownNumber];
  return {
    tenants: numbers.map((number) => {
      const { username, password, apiKey, siteId } = accessTo(number);
      return {
        name: `Tenant ${number}`,
        users: [{ username, password }],
        api_keys: [{ key: apiKey }],
        sites: [siteSeedOf(siteId, number === ownNumber ? own : 1)],
      };
    }),
  };
}

function siteSeedOf(id: number, count: number): SiteSeed {
  const several = <Entry>(entry: Entry) => Array.from({ length: count }, () => entry);
  return {
    id,
    name: `Site ${id}`,
    contents: several({ title: 'Welcome', text: 'Notes of plum and black tea.', published: true }),
    submissions: several({ form: 'contact', fields: { name: 'Noor', message: '您好' } }),
    comments: several({ author: 'Ana', text: 'Good to see you here.' }),
    subscriptions: several({
      url: `https://hooks.example/site-${id}`,
      events: ['form.submit'],
      channel: 'custom',
    }),
  };
}
