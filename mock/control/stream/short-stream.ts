// Gathers what happens, and tells it in short and seldom: while nothing is told, a request costs next to nothing.
import type { Schemas } from '../../../openapi/generated/control-types.ts';
import type { JournalEntry } from '../../http/journal.ts';
import type { Delivery } from '../../world/entries.ts';
import type { ControlledMock } from '../controlled-mock.ts';
import { showClock } from '../show/show.ts';
import { noteDelivery } from '../show/show-delivery.ts';
import { noteInbox } from '../show/show-inbox.ts';
import { noteEntry } from '../show/show-request.ts';
import { follow } from './watch.ts';

const pauseMs = 100;
/** Nobody can read more at once, and each costs some microseconds. */
const mostRequests = 25;
const mostShown = 100;

/** Calls back with what has changed, ten times a second at most. Returns what ends it. */
export function followInShort(mock: ControlledMock, tell: (changes: Schemas['Changes']) => void): () => void {
  const { journal, world } = mock;
  let lastRequest = journal.last()?.id ?? 0;
  let lastDelivery = world.counters.delivery;
  let isReplaced = false;
  const deliveries = new Set<number>();
  const inboxes = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    timer ??= setTimeout(flush, pauseMs).unref();
  }

  function flush(): void {
    timer = undefined;
    const [requests, requestsSkipped] = takeRequests();
    const [pushed, deliveriesSkipped] = takeDeliveries();
    const received = [...inboxes].slice(-mostShown).flatMap((name) => noteInbox(mock, name));
    inboxes.clear();
    const replaced = isReplaced;
    isReplaced = false;
    tell({
      clock: showClock(mock.world),
      ...(requests.length > 0 && { requests: requests.map((one) => noteEntry(mock.world, one)) }),
      ...(pushed.length > 0 && { deliveries: pushed.map((one) => noteDelivery(mock.profile, one)) }),
      ...(received.length > 0 && { inboxes: received }),
      ...((requestsSkipped || deliveriesSkipped) && { more: true }),
      ...(replaced && { replaced: true }),
    });
  }

  function takeRequests(): [JournalEntry[], areSkipped: boolean] {
    const entries = journal.entries();
    const fresh = entries.slice(entries.findLastIndex(({ id }) => id <= lastRequest) + 1);
    const areSkipped = (fresh[0]?.id ?? 0) > lastRequest + 1 && lastRequest > 0;
    lastRequest = fresh.at(-1)?.id ?? lastRequest;
    return [fresh.slice(-mostRequests), areSkipped || fresh.length > mostRequests];
  }

  function takeDeliveries(): [Delivery[], areSkipped: boolean] {
    const { deliveries: all, counters } = mock.world;
    for (let id = Math.max(lastDelivery, counters.delivery - mostShown) + 1; id <= counters.delivery; id++)
      deliveries.add(id);
    const areSkipped = counters.delivery - lastDelivery > mostShown || deliveries.size > mostShown;
    lastDelivery = counters.delivery;
    const fresh = [...deliveries].sort((one, other) => one - other).slice(-mostShown);
    deliveries.clear();
    return [fresh.flatMap((id) => all.get(id) ?? []).filter(({ isGreeting }) => !isGreeting), areSkipped];
  }

  function onDelivery({ id }: Delivery): void {
    deliveries.add(id);
    wake();
  }

  const end = follow(mock.events, {
    request: wake,
    clock: wake,
    attempt: onDelivery,
    delivery: onDelivery,
    message({ inbox }) {
      inboxes.add(inbox);
      wake();
    },
    replaced() {
      isReplaced = true;
      lastDelivery = 0;
      wake();
    },
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}
