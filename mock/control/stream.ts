// The stream of what happens, as server-sent events.
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { JournalExchange } from '../http/journal-exchange.ts';
import type { Delivery, InboxMessage } from '../world/world.ts';
import type { ControlContext } from './control-context.ts';
import { ControlError } from './control-error.ts';
import { showMessage } from './inbox-control.ts';
import { showDelivery } from './show-delivery.ts';
import { showRequest } from './show-request.ts';
import { showClock } from './show-world.ts';

const mostListeners = 100;
/** A client with more unread bytes is disconnected. */
const mostUnreadBytes = 1_048_576;
const commentMs = 15_000;

export function createStream(context: ControlContext) {
  const listeners = new Set<ServerResponse>();
  const forwarding = createForwarding(context, sendAll);

  function sendAll(text: string): void {
    for (const listener of listeners) {
      listener.write(text);
      if (listener.writableLength > mostUnreadBytes) listener.destroy();
    }
  }

  function close(): void {
    for (const listener of listeners) listener.end();
  }

  context.service.events.on('closing', close);
  return {
    /** Takes over the connection. */
    listen(reply: FastifyReply): FastifyReply {
      if (listeners.size >= mostListeners)
        throw new ControlError(409, `${mostListeners} listen to the stream already; end one of them`);
      reply.hijack();
      if (listeners.size === 0) forwarding.start();
      listeners.add(reply.raw);
      reply.raw.on('close', () => {
        listeners.delete(reply.raw);
        if (listeners.size === 0) forwarding.stop();
      });
      open(reply);
      return reply;
    },
    close,
  };
}

/** Sends what happens, rendered once for all listeners, from `start` to `stop`. */
function createForwarding({ service, read }: ControlContext, send: (text: string) => void) {
  const { events, journal, profile } = service;
  const onRequest = (exchange: JournalExchange) => {
    const entry = journal.entries().at(-1);
    if (entry?.exchange !== exchange) return;
    send(
      eventOf(
        'request',
        read((world) => showRequest({ profile, world }, entry)),
      ),
    );
  };
  const onAttempt = (delivery: Delivery) => send(eventOf('delivery', showDelivery(delivery)));
  const onMessage = (inbox: string, message: InboxMessage) =>
    send(eventOf('message', { inbox, ...showMessage(message) }));
  const onClock = () => send(eventOf('clock', read(showClock)));
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      events.on('request', onRequest).on('attempt', onAttempt).on('message', onMessage).on('clock', onClock);
      timer = setInterval(() => send(': still here\n\n'), commentMs).unref();
    },
    stop() {
      events
        .off('request', onRequest)
        .off('attempt', onAttempt)
        .off('message', onMessage)
        .off('clock', onClock);
      clearInterval(timer);
    },
  };
}

function open(reply: FastifyReply): void {
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  reply.raw.write(': listening\n\n');
}

function eventOf(name: string, view: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(view)}\n\n`;
}
