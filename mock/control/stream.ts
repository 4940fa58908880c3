// The stream of what happens, as server-sent events.
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { JournalExchange } from '../http/journal-exchange.ts';
import type { Delivery } from '../world/world.ts';
import type { ControlContext } from './control-context.ts';
import { ControlError } from './control-error.ts';
import { showDelivery } from './show-delivery.ts';
import { showRequest } from './show-request.ts';
import { showClock } from './show-world.ts';

export interface Stream {
  /** Takes over the connection. */
  listen(reply: FastifyReply): FastifyReply;
  close(): void;
}

const mostListeners = 100;
/** A client with more unread bytes is disconnected. */
const mostUnreadBytes = 1_048_576;
const commentMs = 15_000;

export function createStream({ service, read }: ControlContext): Stream {
  const { events, journal, profile } = service;
  const listeners = new Set<ServerResponse>();

  function sendAll(text: string): void {
    for (const listener of listeners) {
      listener.write(text);
      if (listener.writableLength > mostUnreadBytes) listener.destroy();
    }
  }

  // Rendered once for all listeners, and not at all without any.
  const onRequest = (exchange: JournalExchange) => {
    const entry = journal.entries().at(-1);
    if (entry?.exchange !== exchange) return;
    sendAll(
      eventOf(
        'request',
        read((world) => showRequest({ profile, world }, entry)),
      ),
    );
  };
  const onAttempt = (delivery: Delivery) => sendAll(eventOf('delivery', showDelivery(delivery)));
  const onClock = () => sendAll(eventOf('clock', read(showClock)));
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    events.on('request', onRequest).on('attempt', onAttempt).on('clock', onClock);
    timer = setInterval(() => sendAll(': still here\n\n'), commentMs).unref();
  }

  function stop(): void {
    events.off('request', onRequest).off('attempt', onAttempt).off('clock', onClock);
    clearInterval(timer);
  }

  function close(): void {
    for (const listener of listeners) listener.end();
  }

  events.on('closing', close);
  return {
    listen(reply) {
      if (listeners.size >= mostListeners)
        throw new ControlError(409, `${mostListeners} listen to the stream already; end one of them`);
      reply.hijack();
      if (listeners.size === 0) start();
      listeners.add(reply.raw);
      reply.raw.on('close', () => {
        listeners.delete(reply.raw);
        if (listeners.size === 0) stop();
      });
      open(reply);
      return reply;
    },
    close,
  };
}

function open(reply: FastifyReply): void {
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
  // A hijacked reply does not send the headers set before, such as those of CORS.
  reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers });
  reply.raw.write(': listening\n\n');
}

function eventOf(name: string, view: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(view)}\n\n`;
}
