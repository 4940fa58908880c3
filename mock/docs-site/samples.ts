// Examples name entries of this mock's world, so that calls with them succeed.
import type { Profile } from '../../openapi/profile.ts';
import { type Samples, samplesFor } from '../../openapi/samples.ts';
import type { TenantAccess } from '../world/create-world.ts';
import type { World } from '../world/world.ts';

export interface SampleSource {
  world: World;
  profile: Profile;
  /** Set only for the demo world, whose passwords and keys are public. */
  demo: TenantAccess | undefined;
  /** The URL of an inbox that shows what it receives. */
  inbox: string;
}

export function samplesOf(source: SampleSource): Samples & { apiKey: string | undefined } {
  const { world, profile, demo, inbox } = source;
  const site = [...world.sites.values()][0] ?? { id: 101, tenantId: 1 };
  const isOfSite = ({ siteId }: { siteId: number }) => siteId === site.id;
  const content = [...world.contents.values()].findLast(isOfSite);
  const key = [...world.apiKeys.values()].findLast(({ tenantId }) => tenantId === site.tenantId);
  const publication = [...world.publications.values()].findLast(isOfSite);
  const subscription = [...world.subscriptions.values()].findLast(isOfSite);
  const [user] = demo?.users ?? [];
  const samples = samplesFor(profile, {
    url: inbox,
    username: user?.username ?? 'a user of your world file',
    password: user?.password ?? 'the password there',
    siteID: site.id,
    ...(content && { contentID: content.id }),
    ...(key && { keyID: key.id }),
    ...(publication && { version: publication.version }),
    ...(subscription && { subscriptionID: subscription.id, id: subscription.id }),
  });
  return { ...samples, apiKey: demo?.apiKey };
}
