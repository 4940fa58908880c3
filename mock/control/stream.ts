// The stream of what happens, as server-sent events.
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { JournalEntry, JournalExchange } from '../http/journal.ts';
import type { Delivery, InboxMessage } from '../world/entries.ts';
import { showLongIds } from '../world/long-ids.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { showMessage } from './inbox-control.ts';
import { createShortForwarding } from './short-stream.ts';
import { showDelivery } from './show-delivery.ts';
import { showRequest } from './show-request.ts';
import { showClock } from './show-world.ts';

const commentMs = 15_000;

export const streamType = 'text/event-stream';

export function createStream(mock: ControlledMock) {
  const full = createAudience(mock, (send) => createForwarding(mock, send));
  const short = createAudience(mock, (send) =>
    createShortForwarding(mock, (changes) => send(eventOf('changes', changes))),
  );

  function close(): void {
    for (const { listeners } of [full, short]) for (const listener of listeners) listener.end();
  }

  mock.events.on('closing', close);
  return {
    /** Takes over the connection. */
    listen(reply: FastifyReply, isShort: boolean): FastifyReply {
      mock.streams.admit(reply.raw);
      reply.hijack();
      open(reply);
      (isShort ? short : full).add(reply.raw);
      return reply;
    },
    close,
  };
}

interface Forwarding {
  start(): void;
  stop(): void;
}

/** Those who listen to the same. Nothing is gathered while there is none. */
function createAudience(mock: ControlledMock, forward: (send: (text: string) => void) => Forwarding) {
  const listeners = new Set<ServerResponse>();
  let timer: NodeJS.Timeout | undefined;
  let unfollow: (() => void) | undefined;
  const forwarding = forward(sendAll);

  function sendAll(text: string): void {
    // The same bytes for all of them: those who read slowly do not keep copies.
    const bytes = Buffer.from(text);
    for (const listener of listeners) listener.write(bytes);
    mock.streams.settle();
  }

  function remove(listener: ServerResponse): void {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    forwarding.stop();
    unfollow?.();
    clearInterval(timer);
  }

  return {
    listeners,
    add(listener: ServerResponse): void {
      if (listeners.size === 0) {
        forwarding.start();
        unfollow = mock.store?.shared?.journal.follow();
        timer = setInterval(() => sendAll(': still here\n\n'), commentMs).unref();
      }
      listeners.add(listener);
      listener.on('close', () => remove(listener));
    },
  };
}

/** Sends what happens, rendered once for all listeners, from `start` to `stop`. */
function createForwarding(mock: ControlledMock, send: (text: string) => void): Forwarding {
  const { events, profile } = mock;
  const onRequest = (_exchange: JournalExchange, entry?: JournalEntry) => {
    if (!entry) return;
    send(eventOf('request', showRequest({ profile, world: mock.world }, entry)));
  };
  const onAttempt = (delivery: Delivery) => send(eventOf('delivery', showDelivery(delivery)));
  const onMessage = (message: InboxMessage) =>
    send(eventOf('message', { inbox: message.inbox, ...showMessage(message) }));
  const onClock = () => send(eventOf('clock', showClock(mock.world)));
  return {
    start() {
      events.on('request', onRequest).on('attempt', onAttempt).on('message', onMessage).on('clock', onClock);
    },
    stop() {
      events
        .off('request', onRequest)
        .off('attempt', onAttempt)
        .off('message', onMessage)
        .off('clock', onClock);
    },
  };
}

function open(reply: FastifyReply): void {
  reply.raw.writeHead(200, { 'content-type': streamType, 'cache-control': 'no-store' });
  reply.raw.write(': listening\n\n');
}

function eventOf(name: string, view: unknown): string {
  return `event: ${name}\ndata: ${showLongIds(JSON.stringify(view))}\n\n`;
}
