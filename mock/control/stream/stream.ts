// The stream of what happens, as server-sent events.
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { showLongIds } from '../../world/long-ids.ts';
import type { ControlledMock } from '../controlled-mock.ts';
import { showClock } from '../show/show.ts';
import { showDelivery } from '../show/show-delivery.ts';
import { showMessage } from '../show/show-inbox.ts';
import { showRequest } from '../show/show-request.ts';
import { followInShort } from './short-stream.ts';
import { follow } from './watch.ts';

const commentMs = 15_000;

export const streamType = 'text/event-stream';

export function createStream(mock: ControlledMock) {
  const full = createAudience(mock, (send) => followInFull(mock, send));
  const short = createAudience(mock, (send) => followInShort(mock, (changes) => send('changes', changes)));

  function close(): void {
    for (const { listeners } of [full, short]) for (const listener of listeners) listener.end();
  }

  mock.events.on('closing', close);
  return {
    /** Takes over the connection. */
    listen(reply: FastifyReply, isShort: boolean): FastifyReply {
      // A client may leave while it waits for its turn: nothing would give back its place.
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

/** Tells an event by its name and what it shows. */
type Send = (event: string, view: unknown) => void;

/** Those who listen to the same. Nothing is gathered while there is none. */
function createAudience(mock: ControlledMock, begin: (send: Send) => () => void) {
  const listeners = new Set<ServerResponse>();
  let ends: (() => void)[] = [];

  function sendAll(text: string): void {
    // The same bytes for all of them: those who read slowly do not keep copies.
    const bytes = Buffer.from(text);
    for (const listener of listeners) listener.write(bytes);
    mock.streams.settle();
  }

  function start(): (() => void)[] {
    const end = begin((event, view) =>
      sendAll(`event: ${event}\ndata: ${showLongIds(JSON.stringify(view))}\n\n`),
    );
    const timer = setInterval(() => sendAll(': still here\n\n'), commentMs).unref();
    return [end, mock.store?.shared?.journal.follow() ?? (() => {}), () => clearInterval(timer)];
  }

  return {
    listeners,
    add(listener: ServerResponse): void {
      if (listeners.size === 0) ends = start();
      listeners.add(listener);
      listener.on('close', () => {
        listeners.delete(listener);
        if (listeners.size === 0) for (const end of ends.splice(0)) end();
      });
    },
  };
}

/** Sends what happens, rendered once for all listeners. Returns what ends it. */
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
