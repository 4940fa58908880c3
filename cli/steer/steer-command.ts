import { visibleJson } from '../../contract-tests/core/visible-text.ts';
import type { Given } from '../options/flags.ts';
import { type Paint, painter } from '../output/log-lines.ts';
import { onInterruption } from '../screen/interruption.ts';
import { findMock, type MockClient, MockUnreachable } from './mock-client.ts';

export interface Steering {
  mock: MockClient;
  given: Given;
  words: readonly string[];
  /** Prints lines, or with --json the value as one line. */
  print(value: unknown, lines: readonly string[]): void;
  paint: Paint;
}

export function steerCommand(run: (steering: Steering) => Promise<void>) {
  return async (given: Given): Promise<number> => {
    const print: Steering['print'] = (value, lines) => {
      const text = given.switched('json') ? [visibleJson(value)] : lines;
      // As bytes, because the lines are harmless already and the output guard would remove their colours.
      process.stdout.write(Buffer.from(text.map((line) => `${line}\n`).join('')));
    };
    await run({ mock: findMock(given), given, words: given.words, print, paint: painter(process.stdout) });
    return 0;
  };
}

interface Listing<Item> {
  /** The oldest first. */
  list(): Promise<readonly Item[]>;
  /** The stream event for a new item. */
  event: string;
  isWanted(item: Item): boolean;
  /** Equal for the same item. */
  keyOf(item: Item): string;
  toLines(item: Item): readonly string[];
  /** Printed if the list is empty. */
  none: string;
}

export async function listAndFollow<Item>(steering: Steering, listing: Listing<Item>): Promise<void> {
  const { given, print } = steering;
  const listed = new Set<string>();
  const list = async () => {
    for (const item of await listing.list()) {
      listed.add(listing.keyOf(item));
      print(item, listing.toLines(item));
    }
  };
  if (given.switched('follow')) return follow(steering, listing, { list, listed });
  await list();
  if (listed.size === 0 && !given.switched('json')) console.log(listing.none);
}

/** For this time after listing, the stream may repeat listed items. Later, or after a reset (which sends a clock event), the same numbers mean other items. */
const overlapMs = 1000;

/** Ctrl-C and the end of the mock are normal ends. */
async function follow<Item>(
  { mock, print }: Steering,
  { event, isWanted, keyOf, toLines }: Listing<Item>,
  { list, listed }: { list(): Promise<void>; listed: ReadonlySet<string> },
): Promise<void> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  onInterruption(interrupt);
  // The reader of the output has closed it.
  process.stdout.once('error', interrupt);
  try {
    const events = await mock.listen(interruption.signal);
    // The stream buffers events meanwhile.
    await list();
    let overlapUntil = Date.now() + overlapMs;
    for await (const one of events) {
      if (one.event === 'clock') overlapUntil = 0;
      if (one.event !== event) continue;
      const item = one.data as Item;
      const isRepeated = Date.now() < overlapUntil && listed.has(keyOf(item));
      if (isWanted(item) && !isRepeated) print(item, toLines(item));
    }
    console.error('sitepub: the mock has ended');
  } catch (error) {
    if (interruption.signal.aborted) return;
    if (error instanceof TypeError)
      throw new MockUnreachable(
        `the connection to the mock at ${mock.url} was lost; the mock was killed, or this command read too slowly`,
      );
    throw error;
  }
}
