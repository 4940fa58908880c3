import type { MockClient } from './mock-client.ts';

interface Wanted {
  /** The member of the answers that has the items. */
  member: string;
  query?: Readonly<Record<string, string | undefined>>;
}

/** All items of a list of the control API, which gives them page by page. */
export async function readPages<Item>(
  mock: MockClient,
  path: string,
  { member, query = {} }: Wanted,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await mock.call<Page>('GET', path, { query: { ...query, cursor } });
    items.push(...(page[member] as Item[]));
    cursor = page.next === undefined ? undefined : String(page.next);
  } while (cursor !== undefined);
  return items;
}

type Page = Record<string, unknown> & { next?: number };
