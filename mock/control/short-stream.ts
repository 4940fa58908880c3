// Gathers what happens, and tells it in short and seldom: while nothing is told, a request costs next to nothing.
import type { JournalExchange } from '../http/journal.ts';
import type { Delivery, InboxMessage } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import type { ChangesView } from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { createNotes } from './overview-control.ts';
import { showClock } from './show-world.ts';

const pauseMs = 100;
/** Nobody can read more at once, and each costs some microseconds. */
const mostRequests = 25;
const mostShown = 100;

/** Calls back with what has changed, from `start` to `stop`, ten times a second at most. */
export function createShortForwarding(mock: ControlledMock, tell: (changes: ChangesView) => void) {
  const { events } = mock;
  const gathered = createGathering(mock);
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    tell(gathered.take(mock.world));
  }

  function wake(): void {
    timer ??= setTimeout(flush, pauseMs).unref();
  }

  const onDelivery = (delivery: Delivery) => {
    gathered.delivery(delivery);
    wake();
  };
  const onMessage = ({ inbox }: InboxMessage) => {
    gathered.message(inbox);
    wake();
  };
  const onReplaced = () => {
    gathered.replace();
    wake();
  };
  const onRequest = (_exchange: JournalExchange) => wake();

  return {
    start() {
      gathered.begin(mock.world);
      events.on('request', onRequest).on('clock', wake).on('message', onMessage);
      events.on('attempt', onDelivery).on('delivery', onDelivery).on('replaced', onReplaced);
    },
    stop() {
      events.off('request', onRequest).off('clock', wake).off('message', onMessage);
      events.off('attempt', onDelivery).off('delivery', onDelivery).off('replaced', onReplaced);
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

function createGathering(mock: ControlledMock) {
  const { journal } = mock;
  const notes = createNotes(mock);
  let lastRequest = 0;
  let lastDelivery = 0;
  let isReplaced = false;
  const deliveries = new Set<number>();
  const inboxes = new Set<string>();

  function takeRequests(world: World) {
    const entries = journal.entries();
    const fresh = entries.slice(entries.findLastIndex(({ id }) => id <= lastRequest) + 1);
    const skipped = (fresh[0]?.id ?? 0) > lastRequest + 1 && lastRequest > 0;
    lastRequest = fresh.at(-1)?.id ?? lastRequest;
    const shown = fresh.slice(-mostRequests);
    return {
      shown: shown.map((entry) => notes.request(world, entry)),
      isMore: skipped || fresh.length > shown.length,
    };
  }

  function takeDeliveries({ deliveries: all, counters }: World) {
    for (let id = Math.max(lastDelivery, counters.delivery - mostShown) + 1; id <= counters.delivery; id++)
      deliveries.add(id);
    const isMore = counters.delivery - lastDelivery > mostShown || deliveries.size > mostShown;
    lastDelivery = counters.delivery;
    const fresh = [...deliveries].sort((one, other) => one - other).slice(-mostShown);
    deliveries.clear();
    const found = fresh.flatMap((id) => all.get(id) ?? []).filter(({ isGreeting }) => !isGreeting);
    return { shown: found.map(notes.delivery), isMore };
  }

  function takeInboxes(world: World) {
    const shown = [...inboxes].slice(-mostShown).flatMap((name) => notes.inbox(world, name));
    inboxes.clear();
    return shown;
  }

  return {
    begin({ counters }: World): void {
      lastRequest = journal.last()?.id ?? 0;
      lastDelivery = counters.delivery;
      deliveries.clear();
      inboxes.clear();
      isReplaced = false;
    },
    delivery: ({ id }: Delivery) => deliveries.add(id),
    message: (name: string) => inboxes.add(name),
    replace() {
      isReplaced = true;
      lastDelivery = 0;
    },
    take(world: World): ChangesView {
      const requests = takeRequests(world);
      const pushed = takeDeliveries(world);
      const received = takeInboxes(world);
      const replaced = isReplaced;
      isReplaced = false;
      return {
        clock: showClock(world),
        ...(requests.shown.length > 0 && { requests: requests.shown }),
        ...(pushed.shown.length > 0 && { deliveries: pushed.shown }),
        ...(received.length > 0 && { inboxes: received }),
        ...((requests.isMore || pushed.isMore) && { more: true }),
        ...(replaced && { replaced: true }),
      };
    },
  };
}
