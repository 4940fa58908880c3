// What earlier runs have left on a site.
import { callToEnd } from '../calls/profile-calls.ts';
import { type Context, once } from '../context.ts';
import { settle } from '../core/settled.ts';

/** How many subscriptions of other runs are on the site, as far as its list shows. They are not this run's to delete. */
export async function describeOthers(context: Context): Promise<string> {
  const count = await once(context, countOthers);
  return count === 0
    ? ''
    : `; ${count} subscriptions of earlier runs are left on the site: delete them with sitepub cleanup`;
}

async function countOthers(context: Context): Promise<number> {
  const listed = await settle(() => callToEnd(context, 'listSubscriptions'));
  const { list } = listed.error ? {} : (listed.value().values as { list?: unknown });
  if (!Array.isArray(list)) return 0;
  const urls = (list as { url?: unknown }[]).map(({ url }) => String(url));
  return urls.filter((url) => /\/sitepub\/[0-9a-f]{8}\//.test(url) && !url.includes(context.runId)).length;
}
