import { addExamples } from '../../openapi/add-examples.ts';
import type { Description } from '../../openapi/description.ts';
import type { Json } from '../../openapi/json.ts';
import type { Profile } from '../../openapi/profile.ts';
import { operationObjects } from '../../openapi/resolve.ts';
import { type Samples, samplesFor } from '../../openapi/samples.ts';
import { basePath } from '../http/paths.ts';
import type { TenantAccess } from '../world/create-world.ts';
import type { World } from '../world/world.ts';
import { addChannels } from './channels.ts';
import { addFailures } from './failures.ts';

const events = { name: 'events', description: 'Pushes to the receivers of webhook subscriptions.' };

export interface Subject {
  world: World;
  profile: Profile;
  /** Set only for the demo world, whose passwords and keys are public. */
  demo: TenantAccess | undefined;
  /** The URL of an inbox that shows what it receives. */
  inbox: string;
  description: Description;
  /** The path before `/docs`, empty at the root. */
  prefix: string;
}

export function describe(subject: Subject): Json {
  const { profile, prefix } = subject;
  const shown = structuredClone(subject.description);
  for (const push of operationObjects({ ...shown, paths: {} })) push.tags = [events.name];
  addExamples(shown, samplesOf(subject), profile);
  addFailures(shown, profile);
  addChannels(shown, profile);
  const info = shown.info as Json;
  const note =
    `This page describes the mock under the profile \`${profile.name}\`. The interface document leaves gaps open, and deployments ` +
    `differ in them; every deployment meets the promises. Generators can use the [OpenAPI description](${prefix}/docs/openapi.json).`;
  return {
    ...shown,
    info: { ...info, description: `${info.description}\n\n${note}` },
    tags: [...(shown.tags as Json[]), events],
    servers: [{ url: `${prefix}${basePath}` }],
  };
}

/** Examples name entries of this mock's world, so that calls with them succeed. */
export function samplesOf(subject: Subject): Samples & { apiKey: string | undefined } {
  const { world, profile, demo, inbox } = subject;
  const site = [...world.sites.values()][0] ?? { id: 101, tenantId: 1 };
  const isOfSite = ({ siteId }: { siteId: number }) => siteId === site.id;
  const content = [...world.contents.values()].findLast(isOfSite);
  const key = [...world.apiKeys.values()].findLast(({ tenantId }) => tenantId === site.tenantId);
  const publication = [...world.publications.values()].findLast(isOfSite);
  const subscription = [...world.subscriptions.values()].findLast(isOfSite);
  const [user] = demo?.users ?? [];
  const samples = samplesFor(profile, {
    url: inbox,
    username: user?.username ?? 'a username from your world file',
    password: user?.password ?? 'the password of that user',
    siteID: site.id,
    ...(content && { contentID: content.id }),
    ...(key && { keyID: key.id }),
    ...(publication && { version: publication.version }),
    ...(subscription && { subscriptionID: subscription.id, id: subscription.id }),
  });
  return { ...samples, apiKey: demo?.apiKey };
}

/** The viewer does not show `x-gap` and `x-requirement`, so they are appended to the descriptions. */
export function showMarks<T>(node: T): T {
  if (Array.isArray(node)) return node.map(showMarks) as T;
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, part]) => [key, isData(key) ? part : showMarks(part)]),
  );
  const marks = [writeMark('Gap:', copy['x-gap']), writeMark('Promise:', copy['x-requirement'])].flat();
  if (marks.length > 0) copy.description = [copy.description ?? [], ...marks].flat().join('\n\n');
  return copy as T;
}

/** These members contain examples and marks, not parts of the description. */
function isData(key: string): boolean {
  return key === 'examples' || key === 'example' || key.startsWith('x-');
}

function writeMark(label: string, mark: unknown): string[] {
  const ids = [mark ?? []].flat() as Json[];
  return ids.length === 0 ? [] : [`${label} ${ids.map((id) => `\`${String(id)}\``).join(', ')}`];
}
