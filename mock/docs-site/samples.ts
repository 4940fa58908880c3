// Values for the examples of each operation. They name what is in this mock's world, so that a call with them succeeds.
import type { EventName } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { TenantAccess } from '../world/create-world.ts';
import type { World } from '../world/world.ts';

type Values = Readonly<Record<string, unknown>>;

export interface SampleSource {
  world: World;
  profile: Profile;
  /** Undefined unless it is the demo world, whose passwords and keys are public. */
  demo: TenantAccess | undefined;
  /** Where a push can be sent to be seen. */
  inbox: string;
}

export interface Samples {
  /** What a call is made with, by the names of the description. */
  sent: Values;
  /** What an answer holds; its lists have one item. */
  answered: Values;
  apiKey: string | undefined;
}

const time = '2026-01-02T03:04:05.000Z';
const events: readonly EventName[] = ['publish.complete', 'publish.failed'];

export function samplesOf(source: SampleSource): Samples {
  const { world, profile, demo, inbox } = source;
  const site = [...world.sites.values()][0] ?? { id: 101, tenantId: 1, name: '海港咖啡馆' };
  const content = lastOf(world.contents, ({ siteId }) => siteId === site.id);
  const key = lastOf(world.apiKeys, ({ tenantId }) => tenantId === site.tenantId);
  const publication = lastOf(world.publications, ({ siteId }) => siteId === site.id);
  const subscription = lastOf(world.subscriptions, ({ siteId }) => siteId === site.id);
  const id = subscription?.id ?? nextSubscription[profile.values['subscription.id-type']];
  const [user] = demo?.users ?? [];
  const shared = { url: inbox, events, channel: 'custom', secret: "It's a Secret to Everybody" };
  const sent = {
    ...shared,
    username: user?.username ?? 'a user of your world file',
    password: user?.password ?? 'the password there',
    siteID: site.id,
    contentID: content?.id ?? 1,
    keyID: key?.id ?? 1,
    version: publication?.version ?? 8,
    subscriptionID: id,
    id,
    token: 'st_8c1f0e3b5a7d4f60',
    event: 'publish.complete',
    name: 'Pier 9 Bakery',
    source: 'https://pier9.example/',
    note: 'spring menu',
    prompt: 'Announce the spring menu in two sentences.',
    title: '春季菜单 / Spring menu',
    text: 'Sakura latte is back.',
    form: 'reservation',
    fields: { name: 'Zoë', guests: 4 },
    author: 'Tomás',
  };
  return { sent, answered: { ...answered(sent), ...shared }, apiKey: demo?.apiKey };
}

function answered({ siteID, name, url, channel }: Values): Values {
  const attempts = [{ at: time, status: 204, duration_ms: 12, answer: '' }];
  const item = { id: siteID, name, url, events, channel, created_at: time, attempts };
  return {
    ...{
      id: siteID,
      name,
      version: 8,
      pages: 4,
      delivered: true,
      key: 'sp_4kT9wZ1cQ7rYb2Lx',
      text: 'The spring menu is here.',
    },
    ...{ token: 'st_8c1f0e3b5a7d4f60', expires_in: 7200, created_at: time },
    list: [{ ...item, event: 'publish.complete' }],
    total: 1,
  };
}

/** The first one of a new mock, where that is known beforehand. */
const nextSubscription = {
  integer: 1,
  string: 'wh_4kT9wZ1cQ7',
  uuid: '5f0c9a52-7d0e-4b7c-9a0e-3f5d1c2b4a69',
};

function lastOf<Entry>(
  entries: ReadonlyMap<unknown, Entry>,
  isMeant: (entry: Entry) => boolean,
): Entry | undefined {
  return [...entries.values()].findLast(isMeant);
}
