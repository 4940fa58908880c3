// What the commands for a running mock have in common: finding it, and printing.
import { visibleJson } from '../../contract-tests/core/visible-text.ts';
import type { Given } from '../options/flags.ts';
import { painter, type Paint } from '../output/note-lines.ts';
import { MockUnreachable, findMock, type MockClient } from './mock-client.ts';
import { onInterruption } from '../screen/interruption.ts';

export interface Steering {
  mock: MockClient;
  given: Given;
  words: readonly string[];
  /** Prints lines for people, or with --json the value in one line. */
  print(value: unknown, lines: readonly string[]): void;
  /** Colours where standard output takes them. */
  paint: Paint;
}

/** A command for a running mock. */
export function steerCommand(run: (steering: Steering) => Promise<void>) {
  return async (given: Given): Promise<number> => {
    const print: Steering['print'] = (value, lines) => {
      const text = given.switched('json') ? [visibleJson(value)] : lines;
      // As bytes: the lines are harmless already, and their colours are wanted.
      process.stdout.write(Buffer.from(text.map((line) => `${line}\n`).join('')));
    };
    await run({ mock: findMock(given), given, words: given.words, print, paint: painter(process.stdout) });
    return 0;
  };
}

interface Listing<Item> {
  /** What is there, the oldest first. */
  list(): Promise<readonly Item[]>;
  /** The event of the stream that brings one more. */
  event: string;
  isWanted(item: Item): boolean;
  /** The same for the same item. */
  keyOf(item: Item): string;
  toLines(item: Item): readonly string[];
  /** What is said where there is nothing. */
  none: string;
}

/** Prints what is there, and with --follow what comes. */
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

/** For how long after the listing the stream may bring what was listed. Later, or after a reset, which is told as one of the clock, the same numbers may be those of others. */
const overlapMs = 1000;

/** Ctrl-C and the end of the mock are the ends that one expects. */
async function follow<Item>(
  { mock, print }: Steering,
  { event, isWanted, keyOf, toLines }: Listing<Item>,
  { list, listed }: { list(): Promise<void>; listed: ReadonlySet<string> },
): Promise<void> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  onInterruption(interrupt);
  // The end of what reads the output.
  process.stdout.once('error', interrupt);
  try {
    const events = await mock.listen(interruption.signal);
    // What comes meanwhile waits in the stream.
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
