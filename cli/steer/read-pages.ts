import { type MockClient, Unreachable } from './mock-client.ts';

/** Four times what a mock keeps. */
const mostPages = 100;

/** All items of a list of the control API, which gives them page by page, by the name of the list. */
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
  throw new Unreachable(
    `the mock at ${mock.url} lists more than ${mostPages} pages of ${name}, and is left; check --control-url`,
  );
}
