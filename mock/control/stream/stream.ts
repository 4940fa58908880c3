// Server-sent events: each one in full, or with `short` a summary of what changed.
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Delivery } from '../../world/entries.ts';
import { showLongIds } from '../../world/long-ids.ts';
import type { ControlledMock } from '../controlled-mock.ts';
import {
  noteDelivery,
  noteEntry,
  noteInboxes,
  showClock,
  showDelivery,
  showMessage,
  showRequest,
} from '../show.ts';
import { follow } from './watch.ts';

const commentMs = 15_000;

export const streamType = 'text/event-stream';

export function createStream(mock: ControlledMock) {
  const full = createAudience(mock, followInFull);
  const short = createAudience(mock, followInShort);

  function close(): void {
    for (const { listeners } of [full, short]) for (const listener of listeners) listener.end();
  }

  mock.events.on('closing', close);
  return {
    listen(reply: FastifyReply, isShort: boolean): FastifyReply {
      // A client that left while it waited emits no further `close`, so its place would never become free.
      if (reply.raw.destroyed) return reply.hijack();
      mock.streams.admit(reply.raw);
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': streamType, 'cache-control': 'no-store' });
      reply.raw.write(': listening\n\n');
      (isShort ? short : full).add(reply.raw);
      return reply;
    },
    close,
  };
}

type Send = (event: string, view: unknown) => void;

/** Follows events only while there is a listener. */
function createAudience(mock: ControlledMock, begin: (mock: ControlledMock, send: Send) => () => void) {
  const listeners = new Set<ServerResponse>();
  let end = () => {};

  function sendAll(text: string): void {
    // One shared buffer, so slow readers need no copies.
    const bytes = Buffer.from(text);
    for (const listener of listeners) listener.write(bytes);
    mock.streams.settle();
  }

  function start(): () => void {
    const send: Send = (event, view) =>
      sendAll(`event: ${event}\ndata: ${showLongIds(JSON.stringify(view))}\n\n`);
    const ends = [begin(mock, send), mock.store?.shared?.journal.follow()];
    const timer = setInterval(() => sendAll(': still here\n\n'), commentMs).unref();
    return () => {
      clearInterval(timer);
      for (const endOne of ends) endOne?.();
    };
  }

  return {
    listeners,
    add(listener: ServerResponse): void {
      if (listeners.size === 0) end = start();
      listeners.add(listener);
      listener.on('close', () => {
        listeners.delete(listener);
        if (listeners.size === 0) end();
      });
    },
  };
}

function followInFull(mock: ControlledMock, send: Send): () => void {
  return follow(mock.events, {
    request(_exchange, entry) {
      if (entry) send('request', showRequest(mock, entry));
    },
    attempt: (delivery) => send('delivery', showDelivery(delivery)),
    message: (message) => send('message', { inbox: message.inbox, ...showMessage(message) }),
    clock: () => send('clock', showClock(mock.world)),
  });
}

const pauseMs = 100;
/** A person cannot read more at once, and each request costs some microseconds. */
const mostRequests = 25;
const mostShown = 100;

/** Sends changes at most every 100 ms, so that a request costs little. */
function followInShort(mock: ControlledMock, send: Send): () => void {
  const { journal } = mock;
  // Entries with greater ids are new and are sent even without an event about them.
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
    const changes = {
      requests: requests.slice(-mostRequests).map((one) => noteEntry(world, one)),
      deliveries: pushes.slice(-mostShown).map((one) => noteDelivery(profile, one)),
      inboxes: noteInboxes(mock, [...inboxes].slice(-mostShown)),
    };
    const hasMore = requests.length > mostRequests || pushes.length > mostShown;
    send('changes', {
      clock: showClock(world),
      ...Object.fromEntries(Object.entries(changes).filter(([, lines]) => lines.length > 0)),
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
