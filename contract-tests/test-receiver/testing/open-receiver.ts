import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenTo } from '../../testing.ts';

export interface ReceivedPush {
  method: string;
  headers: IncomingHttpHeaders;
  rawHeaders: readonly string[];
  body: Buffer;
  /** The body in the parts in which it arrived. */
  parts: readonly Buffer[];
}

export type Decision = number | readonly [status: number, text: string];

/** Decides the answer. An error closes the connection, like an uncaught exception. */
export type Decide = (seen: ReceivedPush, secret: string) => Decision | Promise<Decision>;

export interface ReceiverTraits {
  secret: string;
  /** Whether an error ends the whole receiver, like an uncaught exception. */
  isFragile?: boolean;
  /** Whether it handles one push at a time, from its first byte on. */
  isSerial?: boolean;
}

/** Starts a receiver in this process on a free port. */
export async function openReceiver(decide: Decide, traits: ReceiverTraits) {
  const server = createServer();
  let turn: Promise<void> = Promise.resolve();
  const answer = async (before: Promise<void>, request: IncomingMessage, response: ServerResponse) => {
    await before;
    try {
      const decision = await decide(await readPush(request), traits.secret);
      const [status, text] = typeof decision === 'number' ? [decision, ''] : decision;
      response.writeHead(status).end(text);
    } catch {
      request.socket.destroy();
      if (traits.isFragile) await close();
    }
  };
  server.on('request', (request, response) => {
    const before = traits.isSerial ? turn : Promise.resolve();
    turn = answer(before, request, response);
  });
  const { origin, close } = await listenTo(server);
  return { url: `${origin}/hook`, [Symbol.asyncDispose]: close };
}

async function readPush(request: IncomingMessage): Promise<ReceivedPush> {
  const { method = '', headers, rawHeaders } = request;
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return { method, headers, rawHeaders, body: Buffer.concat(parts), parts };
}
