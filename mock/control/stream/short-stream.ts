// Gathers what happens, and tells it in short and seldom: while nothing is told, a request costs next to nothing.
import type { Schemas } from '../../../openapi/generated/control-types.ts';
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
  const { journal } = mock;
  // What comes after these is told even if nothing else happens to it.
  let lastRequest = journal.entries().at(-1)?.id ?? 0;
  let lastDelivery = mock.world.counters.delivery;
  let isReplaced = false;
  const deliveries = new Set<number>();
  const inboxes = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    timer ??= setTimeout(flush, pauseMs).unref();
  }

  function flush(): void {
    timer = undefined;
    const { world, profile } = mock;
    const requests = journal.entries().filter(({ id }) => id > lastRequest);
    const pushes = [...world.deliveries.values()].filter(
      ({ id, isGreeting }) => (id > lastDelivery || deliveries.has(id)) && !isGreeting,
    );
    const told = {
      requests: requests.slice(-mostRequests).map((one) => noteEntry(world, one)),
      deliveries: pushes.slice(-mostShown).map((one) => noteDelivery(profile, one)),
      inboxes: [...inboxes].slice(-mostShown).flatMap((name) => noteInbox(mock, name)),
    };
    const hasMore = requests.length > mostRequests || pushes.length > mostShown;
    tell({
      clock: showClock(world),
      ...Object.fromEntries(Object.entries(told).filter(([, lines]) => lines.length > 0)),
      ...(hasMore && { more: true }),
      ...(isReplaced && { replaced: true }),
    });
    lastRequest = requests.at(-1)?.id ?? lastRequest;
    lastDelivery = world.counters.delivery;
    isReplaced = false;
    deliveries.clear();
    inboxes.clear();
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
