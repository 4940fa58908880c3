// A reverse proxy that changes messages between suite and mock, or mock and receiver.
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenTo } from '../testing.ts';

export interface Message {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

type Forward = (message: Message) => Promise<Reply>;

/** Returns the reply of `forward` or another one. */
export type Tamper = (message: Message, forward: Forward) => Promise<Reply> | Reply;

export interface TamperingProxy {
  origin: string;
  /** Throws the first error of the tampering, which both sides saw only as a closed connection. */
  close(): Promise<void>;
}

/** `urlOf`: returns the target URL of a path. */
export async function startProxy(urlOf: (path: string) => string, tamper: Tamper): Promise<TamperingProxy> {
  const agent = new Agent({ keepAlive: true });
  const problems: unknown[] = [];
  const forward: Forward = (message) => send(urlOf(message.path), message, agent);
  const server = createServer(async (incoming, outgoing) => {
    try {
      const { status, headers, body } = await tamper(await readMessage(incoming), forward);
      outgoing.writeHead(status, { ...endToEnd(headers), 'content-length': body.length }).end(body);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) problems.push(error);
      outgoing.destroy();
    }
  });
  const { origin, close } = await listenTo(server);
  return {
    origin,
    close: async () => {
      agent.destroy();
      await close();
      if (problems.length > 0) throw problems[0];
    },
  };
}

async function readMessage(incoming: IncomingMessage): Promise<Message> {
  const { method = 'GET', url: path = '/', headers } = incoming;
  return { method, path, headers, body: await buffer(incoming) };
}

function send(url: string, { method, headers, body }: Message, agent: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = openRequest(url, {
      method,
      agent,
      headers: { ...endToEnd(headers), 'content-length': body.length },
    });
    request.on('error', reject);
    request.on('response', async (response) => {
      const { statusCode = 0, headers: answered } = response;
      resolve({ status: statusCode, headers: answered, body: await buffer(response) });
    });
    request.end(body);
  });
}

/** Removes hop-by-hop headers. */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const {
    host: _host,
    connection: _connection,
    'keep-alive': _keepAlive,
    'transfer-encoding': _encoding,
    ...rest
  } = headers;
  return rest;
}
