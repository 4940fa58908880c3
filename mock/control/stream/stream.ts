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
  const short = createAudience(mock, (send) =>
    followInShort(mock, (changes) => send(eventOf('changes', changes))),
  );

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

/** Those who listen to the same. Nothing is gathered while there is none. */
function createAudience(mock: ControlledMock, begin: (send: (text: string) => void) => () => void) {
  const listeners = new Set<ServerResponse>();
  let timer: NodeJS.Timeout | undefined;
  let ends: (() => void)[] = [];

  function sendAll(text: string): void {
    // The same bytes for all of them: those who read slowly do not keep copies.
    const bytes = Buffer.from(text);
    for (const listener of listeners) listener.write(bytes);
    mock.streams.settle();
  }

  function remove(listener: ServerResponse): void {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    for (const end of ends) end();
    ends = [];
    clearInterval(timer);
  }

  return {
    listeners,
    add(listener: ServerResponse): void {
      if (listeners.size === 0) {
        ends = [begin(sendAll), mock.store?.shared?.journal.follow() ?? (() => {})];
        timer = setInterval(() => sendAll(': still here\n\n'), commentMs).unref();
      }
      listeners.add(listener);
      listener.on('close', () => remove(listener));
    },
  };
}

/** Sends what happens, rendered once for all listeners. Returns what ends it. */
function followInFull(mock: ControlledMock, send: (text: string) => void): () => void {
  return follow(mock.events, {
    request(_exchange, entry) {
      if (entry) send(eventOf('request', showRequest(mock, entry)));
    },
    attempt: (delivery) => send(eventOf('delivery', showDelivery(delivery))),
    message: (message) => send(eventOf('message', { inbox: message.inbox, ...showMessage(message) })),
    clock: () => send(eventOf('clock', showClock(mock.world))),
  });
}

function eventOf(name: string, view: unknown): string {
  return `event: ${name}\ndata: ${showLongIds(JSON.stringify(view))}\n\n`;
}
