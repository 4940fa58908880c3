// A mock that waits for its store answers `/_mock/live`, but is not ready.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainListenError } from './listen.ts';
import { type Certificate, StoreUnreachable } from './mock-options.ts';

const againMs = 500;

interface Waiting {
  waitMs: number;
  host: string;
  /** Answers `/_mock/live` on these ports until the store is ready. Skips port 0, because its number is not known. */
  ports: readonly number[];
  tls: Certificate | undefined;
  log(line: string): void;
}

/** Throws StoreUnreachable when the time is up, and any other error of `open` at once. */
export async function waitForStore<Opened>(
  open: () => Promise<Opened>,
  { waitMs, host, ports, tls, log }: Waiting,
): Promise<Opened> {
  const until = performance.now() + waitMs;
  let reason = '';
  let close: (() => Promise<void>) | undefined;
  try {
    for (;;) {
      const opened = await open().catch((error: unknown) => {
        if (!(error instanceof StoreUnreachable) || performance.now() >= until) throw error;
        if (reason !== error.message) log(`${error.message}; trying again for ${waitMs / 1000} s`);
        reason = error.message;
      });
      if (opened) return opened;
      close ??= await answerMeanwhile({ host, ports: ports.filter(Boolean), tls }, () => reason);
      await sleep(Math.min(againMs, Math.max(0, until - performance.now())));
    }
  } finally {
    await close?.();
  }
}

async function answerMeanwhile(
  { host, ports, tls }: Pick<Waiting, 'host' | 'ports' | 'tls'>,
  reason: () => string,
): Promise<() => Promise<void>> {
  const answer: RequestListener = ({ url = '' }, response) => {
    const isAlive = /\/_mock\/live(?:\?|$)/.test(url);
    response.writeHead(isAlive ? 200 : 503, {
      'content-type': 'application/json',
      connection: 'close',
      ...(!isAlive && { 'retry-after': '1' }),
    });
    response.end(JSON.stringify(isAlive ? { live: true } : { error: reason() }));
  };
  const servers: Server[] = [];
  const close = async () => {
    for (const server of servers) {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    }
  };
  for (const port of ports) {
    const server = tls ? createSecureServer(tls, answer) : createServer(answer);
    try {
      await once(server.listen(port, host), 'listening');
      servers.push(server);
    } catch (error) {
      await close();
      throw explainListenError(error, port, host);
    }
  }
  return close;
}
