import { type MockClient, Unreachable } from './mock-client.ts';

/** Four times what a mock keeps. */
const mostPages = 100;

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
  for (let count = 0; count < mostPages; count++) {
    const page = await mock.call<Page>('GET', path, { query: { ...query, cursor } });
    items.push(...(page[member] as Item[]));
    if (page.next === undefined) return items;
    cursor = String(page.next);
  }
  throw new Unreachable(
    `the mock at ${mock.url} lists more than ${mostPages} pages of ${member}, and is left; check --control-url`,
  );
}

type Page = Record<string, unknown> & { next?: number };
