// A deployment whose answers to creations name what others have, too: the template of a site, the content that was translated, the key or subscription that is
// replaced. A profile that takes those identifiers for the new ones is wrong, and the deployment is not.
import { loadProfile, makeProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { jsonOf } from './tampering.ts';
import type { Message, Tamper } from './tampering-proxy.ts';

/** What others have in the demo world; the subscription is created at the first creation. */
const others = { site: 102, content: 1, key: 1, subscription: 1 };

const holders: Readonly<Record<string, object>> = {
  '/tenant/sites': { template: { site_id: others.site, site_name: 'Harbour Roastery' } },
  '/tenant/sites/import': { template: { site_id: others.site, site_name: 'Harbour Roastery' } },
  '/contents': { translation_of: { content_id: others.content, title: 'Spring' } },
  '/tenant/keys': { replaces: { key_id: others.key } },
  '/webhooks': { replaces: { subscription_id: others.subscription } },
};

const wrongPointers = {
  'operation.create-site': { id: '/data/template/site_id' },
  'operation.import-site': { id: '/data/template/site_id' },
  'operation.create-content': { id: '/data/translation_of/content_id' },
  'operation.create-key': { id: '/data/replaces/key_id' },
  'subscription.response.id': '/data/replaces/subscription_id',
};

/** The gaps whose pointers can be wrong. */
export type WrongGap = keyof typeof wrongPointers;

/** The usual profile, but for some pointers; `unknown`: operations that it does not state. */
export function profileNamingOthers(gaps: readonly WrongGap[], unknown: readonly string[] = []): Profile {
  const stated: Record<string, unknown> = { ...statedValues(loadProfile('default')) };
  for (const gap of gaps) {
    const wrong = wrongPointers[gap];
    stated[gap] = typeof wrong === 'string' ? wrong : { ...Object(stated[gap]), ...wrong };
  }
  for (const gap of unknown) stated[gap] = 'unknown';
  return makeProfile(stated, { name: 'naming others', source: 'test' });
}

/** Adds those names to the answers, and to `strays` each call that changes what others have. */
export function namingOthers(strays: string[]): Tamper {
  let hasOthers = false;
  return async (message, forward) => {
    const { method, path } = message;
    const place = path.replace(/^\/api\/v1/, '').replace(/\?.*/, '');
    if (method === 'POST' && /\/101\/webhooks$/.test(place) && !hasOthers) {
      const { url, events } = jsonOf(message.body);
      const body = { url: 'https://hooks.shop.example/theirs', events: ['form.submit'], channel: 'custom' };
      const theirs = () => forward({ ...message, body: Buffer.from(JSON.stringify(body)) });
      hasOthers = url !== undefined && Array.isArray(events) && jsonOf((await theirs()).body).code === 0;
    }
    if (isStray(message, place)) strays.push(`${method} ${place}`);
    const reply = await forward(message);
    const [, holder] =
      Object.entries(holders).find(([end]) => method === 'POST' && place.endsWith(end)) ?? [];
    const { code, data, ...rest } = jsonOf(reply.body);
    if (!holder || code !== 0) return reply;
    return {
      ...reply,
      body: Buffer.from(JSON.stringify({ code, data: { ...Object(data), ...holder }, ...rest })),
    };
  };
}

/** Whether a call changes the site, the content, the key or the subscription of others. A subscription may be created on any site. */
function isStray({ method }: Message, place: string): boolean {
  if (method === 'GET') return false;
  return [
    new RegExp(`/sites/${others.site}(/(?!webhooks).*)?$`),
    new RegExp(`/101/contents/${others.content}(/|$)`),
    new RegExp(`/keys/${others.key}$`),
    new RegExp(`/101/webhooks/${others.subscription}(/|$)`),
  ].some((theirs) => theirs.test(place));
}
