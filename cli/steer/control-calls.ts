// Calls of the control API that both the commands and `sitepub mcp` make.
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { readIsoDuration } from '../options/read-values.ts';
import { UsageError } from '../options/usage-error.ts';
import { type MockClient, MockUnreachable } from './mock-client.ts';

export async function describeMock(mock: MockClient) {
  const health = await mock.GET('/health');
  const { on: faults } = await mock.GET('/faults');
  const { limits } = await mock.GET('/limits');
  return { control_url: mock.url, ...health, faults, limits };
}

export function advanceClock(mock: MockClient, duration: string): Promise<Schemas['MovedClock']> {
  return mock.POST('/clock', { body: { advance: readIsoDuration(duration) } });
}

/** Waits until the mock has sent the pushes. */
export async function causeEvent(mock: MockClient, body: Schemas['Cause']) {
  const { site_id, deliveries } = await mock.POST('/events', { body });
  if (deliveries.length > 0) await mock.POST('/drain');
  const sent: Schemas['Delivery'][] = [];
  for (const { id } of deliveries) sent.push(await mock.GET('/deliveries/{id}', { path: { id } }));
  return { site_id, deliveries: sent };
}

export function resetWorld(
  mock: MockClient,
  tenant: string | undefined,
  keepsSessions: boolean,
): Promise<Schemas['WorldSummary']> {
  return mock.POST('/reset', { query: { tenant, sessions: keepsSessions ? 'keep' : undefined } });
}

/** Throws UsageError for a name that leads out of the inboxes. */
export function inboxPath(name: string): { name: string } {
  if (name === '.' || name === '..')
    throw new UsageError(`"${name}" is not the name of an inbox; give the last part of its URL`);
  return { name };
}

/** Four times the limit of the lists of a mock. */
const mostPages = 100;

/** Reads all pages of a list. */
export async function readPages<Name extends string, Item>(
  mock: MockClient,
  name: Name,
  read: (page: { cursor: number | undefined }) => Promise<Record<Name, Item[]> & { next?: number }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: number | undefined;
  for (let count = 0; count < mostPages; count++) {
    const page = await read({ cursor });
    items.push(...page[name]);
    if (page.next === undefined) return items;
    cursor = page.next;
  }
  throw new MockUnreachable(
    `the mock at ${mock.url} lists more than ${mostPages} pages of ${name}; check --control-url`,
  );
}
