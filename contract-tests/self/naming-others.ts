// A conforming deployment whose creation answers also name resources of others (a template, a translated content, a replaced key), and
// profiles that take those ids for the new ones.
import { loadProfile, makeProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { jsonOf, withJson } from './tampering.ts';
import type { Message, Tamper } from './tampering-proxy.ts';

/** Resources of others; the subscription appears at the first creation. */
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

export type WrongGap = keyof typeof wrongPointers;

/** The profile `default` with wrong pointers. `unknown`: operations that it does not state. */
export function profileNamingOthers(gaps: readonly WrongGap[], unknown: readonly string[] = []): Profile {
  const stated: Record<string, unknown> = { ...statedValues(loadProfile('default')) };
  for (const gap of gaps) {
    const wrong = wrongPointers[gap];
    stated[gap] = typeof wrong === 'string' ? wrong : { ...Object(stated[gap]), ...wrong };
  }
  for (const gap of unknown) stated[gap] = 'unknown';
  return makeProfile(stated, { name: 'naming others', source: 'test' });
}

/** Adds resources of others to the answers, and records calls that change them in `strays`. */
export function namingOthers(strays: string[]): Tamper {
  const last: LastNames = {};
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
    if (code !== 0) return reply;
    if (method === 'GET') nameLast(place, Object(data), last);
    if (method === 'POST') noteLast(jsonOf(message.body), last);
    return withJson(reply, { code, data: { ...Object(data), ...holder }, ...rest });
  };
}

interface LastNames {
  site?: unknown;
  content?: unknown;
}

function noteLast({ site_name, title }: Readonly<Record<string, unknown>>, last: LastNames): void {
  if (site_name !== undefined) last.site = site_name;
  if (title !== undefined) last.content = title;
}

/** Adds the name of the last copy to the site or content of others. */
function nameLast(place: string, data: { list?: Record<string, unknown>[] }, last: LastNames): void {
  const shown = data.list ?? [data as Record<string, unknown>];
  const isOfSites = /\/sites(\/\d+)?$/.test(place);
  if (!isOfSites && !/\/contents(\/\d+)?$/.test(place)) return;
  const name = isOfSites ? last.site : last.content;
  const theirs = shown.find((one) => (isOfSites ? one.site_id === others.site : one.id === others.content));
  if (theirs && name !== undefined)
    Object.assign(theirs, {
      last_copied_as: name,
      last_copy: { id: 999, site_id: 999, name, title: name, site_name: name },
    });
}

/** Whether a call changes a resource of others. A subscription may be created on any site. */
function isStray({ method }: Message, place: string): boolean {
  if (method === 'GET') return false;
  return [
    new RegExp(`/sites/${others.site}(/(?!webhooks).*)?$`),
    new RegExp(`/101/contents/${others.content}(/|$)`),
    new RegExp(`/keys/${others.key}$`),
    new RegExp(`/101/webhooks/${others.subscription}(/|$)`),
  ].some((theirs) => theirs.test(place));
}
