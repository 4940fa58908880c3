import { onInterruption } from '../screen/interruption.ts';
import { type MockClient, Unreachable } from './mock-client.ts';
import type { Steering } from './steer-command.ts';

export interface Listing<Item> {
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

/** Returns the exit code. */
export async function listAndFollow<Item>(
  { mock, given, print }: Steering,
  { list, event, isWanted, keyOf, toLines, none }: Listing<Item>,
): Promise<number> {
  const listed = new Set<string>();
  const begin = async () => {
    for (const item of await list()) {
      listed.add(keyOf(item));
      print(item, toLines(item));
    }
  };
  if (given.switched('follow'))
    return follow(mock, {
      begin,
      event,
      onItem: (item: Item, mayBeListed) => {
        if (isWanted(item) && !(mayBeListed && listed.has(keyOf(item)))) print(item, toLines(item));
      },
    });
  await begin();
  if (listed.size === 0 && !given.switched('json')) console.log(none);
  return 0;
}

interface Following<Item> {
  /** Prints what is there. What comes meanwhile waits in the stream. */
  begin(): Promise<void>;
  event: string;
  onItem(item: Item, mayBeListed: boolean): void;
}

/** For how long after the listing the stream may bring what was listed. Later, or after a reset, which is told as one of the clock, the same numbers may be those of others. */
const overlapMs = 1000;

/** Ctrl-C and the end of the mock are the ends that one expects. */
async function follow<Item>(mock: MockClient, { begin, event, onItem }: Following<Item>): Promise<number> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  onInterruption(interrupt);
  // The end of what reads the output.
  process.stdout.once('error', interrupt);
  try {
    const events = await mock.listen(interruption.signal);
    await begin();
    let overlapUntil = Date.now() + overlapMs;
    for await (const one of events) {
      if (one.event === 'clock') overlapUntil = 0;
      if (one.event === event) onItem(one.data as Item, Date.now() < overlapUntil);
    }
    console.error('sitepub: the mock has ended');
    return 0;
  } catch (error) {
    if (interruption.signal.aborted) return 0;
    if (error instanceof TypeError)
      throw new Unreachable(
        `the mock at ${mock.url} was cut off; it was killed, or had to wait for a slow reader`,
      );
    throw error;
  }
}
