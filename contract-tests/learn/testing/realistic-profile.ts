// Profiles of deployments that a company would really build: consistent names, usual paths, and never the same twice.
import type { Json } from '../../../openapi/json.ts';
import { makeProfile, type Profile } from '../../../openapi/profile.ts';
import { createRandom, type Random } from '../../../openapi/random-profile.ts';
import { gaps } from '../../../openapi/registers.ts';
import { camel, kebab, snake } from './naming.ts';
import { drawCall, type Habits } from './realistic-calls.ts';

/** The same seed returns the same profile. Of the operations that are not documented, one of eight is not offered. */
export function realisticProfile(seed: number): Profile {
  const random = createRandom(seed * 104_729 + 1);
  const habits = drawHabits(random);
  const offered = gaps.filter(({ kind }) => kind === 'operation').filter(() => random.chance(0.88));
  const isOffered = (id: string) => offered.some((gap) => gap.id === id);
  const operations = gaps
    .filter(({ kind }) => kind === 'operation')
    .map(({ id }) => {
      // Hardly anybody can let a publish fail who can't let it succeed.
      const isOdd = id === 'operation.fail-publish' && !isOffered('operation.publish-site');
      return [id, isOffered(id) && !isOdd ? drawCall(id, habits) : 'not-offered'];
    });
  const name = `realistic-${seed}`;
  return makeProfile({ ...documented(habits), ...Object.fromEntries(operations) }, { name, source: name });
}

function drawHabits(random: Random): Habits {
  const spell = random.pick([camel, snake]);
  const isNested = random.chance(0.2);
  return {
    random,
    spell,
    paths: random.pick(['resources', 'resources', 'verbs'] as const),
    segment: random.pick([kebab, camel, snake]),
    nouns: {
      ...{
        site: random.pick(['site', 'site', 'website', 'project']),
        content: random.pick(['content', 'article', 'post', 'entry']),
      },
      ...{
        key: random.pick(['key', 'api key', 'access key']),
        hook: random.pick(['webhook', 'webhook', 'hook']),
      },
      ...{
        delivery: random.pick(['delivery', 'push log', 'delivery log']),
        form: 'form',
        comment: random.pick(['comment', 'comment', 'message']),
      },
    },
    idStyle: random.pick(['plain', 'noun'] as const),
    wrapper: isNested ? random.pick(['item', 'result', 'detail']) : undefined,
    created: random.pick([200, 200, 201]),
    paging: random.pick([
      ['page', 'page_size'],
      ['page', 'page_size'],
      ['offset', 'limit'],
      ['cursor', 'limit'],
      [],
    ]),
    keysAuth: random.pick(['bearer', 'session'] as const),
  };
}

/** The names and places of the four documented endpoints. */
function documented({ random, spell, created, wrapper, idStyle, nouns }: Habits): Json {
  const inData = (name: string) =>
    `/data/${wrapper && random.chance(0.7) ? `${wrapper}/` : ''}${spell(name)}`;
  const token = random.pick(['token', 'access token', 'session token', 'jwt']);
  const url = random.pick(['url', 'callback url', 'target url', 'endpoint', 'notify url']);
  const events = random.pick(['events', 'event types', 'topics', 'event names']);
  const channel = random.pick(['channel', 'channel type', 'push channel']);
  const secret = random.pick(['secret', 'sign secret', 'signing key', 'secret key']);
  const id = idStyle === 'plain' ? 'id' : `${nouns.hook} id`;
  return {
    'login.token': inData(token),
    'login.expires-in': random.chance(0.6) ? `/data/${spell('expires in')}` : 'absent',
    'refresh.token': inData(token),
    'subscription.request.url': spell(url),
    'subscription.request.events': spell(events),
    'subscription.request.channel': spell(channel),
    'subscription.request.secret': spell(secret),
    'subscription.status': created,
    'subscription.response.id': inData(id),
    'subscription.response.url': `/data/${spell(url)}`,
    'subscription.response.events': `/data/${spell(events)}`,
    'subscription.response.channel': `/data/${spell(channel)}`,
    'subscription.id-type': random.pick(['integer', 'uuid', 'string']),
    'hook-test.delivered': random.chance(0.5)
      ? `/data/${random.pick(['delivered', spell('is sent'), 'success'])}`
      : 'absent',
  };
}
