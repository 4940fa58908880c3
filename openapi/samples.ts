import type { EventName } from './generated/types.ts';
import type { Profile } from './profile.ts';

type Values = Readonly<Record<string, unknown>>;

export interface Samples {
  sent: Values;
  /** Its lists have one item. */
  answered: Values;
}

const time = '2026-01-02T03:04:05.000Z';

/** Returns samples for any deployment; `known` has the known values of one. */
export function samplesFor(profile: Profile, known: Values = {}): Samples {
  const id = nextSubscription[profile.values['subscription.id-type']];
  const sent = {
    events: ['publish.complete', 'publish.failed'] satisfies EventName[],
    channel: 'custom',
    secret: "It's a Secret to Everybody",
    url: 'https://hooks.harbour-cafe.example/sitepub',
    username: 'mei@harbour-cafe.example',
    password: 'demo-password-mei',
    siteID: 101,
    contentID: 1,
    keyID: 1,
    version: 8,
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
    ...known,
  };
  return { sent, answered: answered(sent) };
}

function answered(sent: Values): Values {
  const attempts = [{ at: time, status: 204, duration_ms: 12, answer: '' }];
  const shown = { ...sent, id: sent.siteID, created_at: time, updated_at: time, at: time };
  const outcome = { version: 8, pages: 4, delivered: true, key: 'sp_4kT9wZ1cQ7rYb2Lx', expires_in: 7200 };
  return { ...shown, ...outcome, list: [{ ...shown, attempts }], total: 1 };
}

/** The first identifier of a new mock, if it is predictable. */
const nextSubscription = {
  integer: 1,
  string: 'wh_4kT9wZ1cQ7',
  uuid: '5f0c9a52-7d0e-4b7c-9a0e-3f5d1c2b4a69',
};
