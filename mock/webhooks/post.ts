// Uses node:http because undici takes an unsolicited 100 Continue for a bad answer.
import { type AgentOptions, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { decodeLeniently } from '../../openapi/template.ts';

export interface Message {
  headers: Record<string, string>;
  body: string;
}

export type Place = Pick<URL, 'href' | 'protocol' | 'hostname' | 'host' | 'port'> & {
  /** The hostname for node:http: an IPv6 address without its brackets. */
  address: string;
  path: string;
  authorization: string | undefined;
};

export interface PostAnswer {
  status: number;
  location: string | undefined;
  /** At most the first 16 KiB. */
  body: string;
}

const maxAnswerBytes = 16_384;
/** Many receivers close idle connections after five seconds. */
const idleMs = 4_000;
/** With any other status, `Location` does not mean a redirect. */
const redirects: readonly unknown[] = [301, 302, 303, 307, 308];

export type Poster = ReturnType<typeof createPoster>;

export function createPoster(options: AgentOptions & { ca?: string[] }) {
  const pooled = { keepAlive: true, timeout: idleMs, ...options };
  const agents = { 'http:': new HttpAgent(pooled), 'https:': new HttpsAgent(pooled) };

  /** Calls `done` once and never synchronously. Returns a function that aborts. Throws for a request that Node can't send. */
  function post(
    place: Place,
    message: Message,
    done: (error: unknown, answer?: PostAnswer) => void,
  ): () => void {
    const { protocol, address, port, path } = place;
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new Error(`unsupported protocol ${protocol}; expected http: or https:`);
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send({
      ...{ host: address, port, path, method: 'POST', agent: agents[protocol] },
      headers: headerList(place, message),
    });
    let isDone = false;
    const end = (error: unknown, answer?: PostAnswer) => {
      if (isDone) return;
      isDone = true;
      // By the next tick the connection is free for another request.
      process.nextTick(done, error, answer);
    };
    request.on('error', end);
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      end(new Error('the receiver answered with status 101, which was not requested'));
    });
    request.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      const chunks: Buffer[] = [];
      let length = 0;
      const finish = () => {
        const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
        const location = redirects.includes(status) ? response.headers.location : undefined;
        end(undefined, { status, location, body: bytes.toString('utf8', 0, maxAnswerBytes) });
      };
      response.on('error', end).on('end', finish);
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length < maxAnswerBytes) return;
        finish();
        // Only the first maxAnswerBytes are logged.
        request.destroy();
      });
    });
    request.end(message.body);
    return () => request.destroy();
  }

  return {
    post,
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Node writes a list of headers as it is; an object costs a look-up per name. */
function headerList({ host, authorization }: Place, { headers, body }: Message): string[] {
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] ?? '');
  if (authorization !== undefined) list.push('Authorization', authorization);
  list.push('Host', host, 'Connection', 'keep-alive', 'Content-Length', String(Buffer.byteLength(body)));
  return list;
}

/** Credentials follow a redirect only within the same origin. */
export function placeOf(url: URL, before?: Place): Place {
  const { href, protocol, hostname, host, port, pathname, search } = url;
  const isSameOrigin = before?.protocol === protocol && before.host === host;
  return {
    ...{ href, protocol, hostname, host, port },
    address: hostname.replace(/^\[|\]$/g, ''),
    path: pathname + search,
    authorization: credentialsOf(url) ?? (isSameOrigin ? before.authorization : undefined),
  };
}

/** Basic authentication: https://www.rfc-editor.org/rfc/rfc7617 */
function credentialsOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${decodeLeniently(username)}:${decodeLeniently(password)}`).toString('base64')}`;
}
