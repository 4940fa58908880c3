// One POST, with as much of its answer as the log keeps. By Node's own client: undici takes an unasked 100 Continue for a bad answer.
import { type AgentOptions, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** Where a request goes, its query included. */
export type Place = Pick<URL, 'protocol' | 'hostname' | 'port'> & { path: string };

export interface Post extends Place {
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface PostAnswer {
  status: number;
  /** The header `location`, if there is one. */
  location: string | undefined;
  /** Its beginning. */
  body: string;
}

/** The end of a request before its time. */
export interface Ending {
  isAborted: boolean;
  /** Ends what is under way. */
  abort: () => void;
}

/** Posts over kept-alive connections. */
export interface Poster {
  /** Rejects where no whole answer comes, and as soon as `ending` is aborted. */
  post(post: Post, ending: Ending): Promise<PostAnswer>;
  /** Ends all that is under way. */
  close(): void;
}

const maxAnswerBytes = 16_384;
/** Receivers close what is idle, many of them after five seconds. */
const idleMs = 4_000;

export function createPoster(options: AgentOptions & { ca?: string[] }): Poster {
  const kept = { keepAlive: true, timeout: idleMs, ...options };
  const agents = { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent(kept) };
  return {
    async post({ headers, body, ...place }, ending) {
      const { protocol } = place;
      if (protocol !== 'http:' && protocol !== 'https:')
        throw new Error(`${protocol} is no protocol of a receiver; it is http: or https:`);
      const send = protocol === 'https:' ? httpsRequest : httpRequest;
      return await new Promise((resolve, reject) => {
        const request = send({ ...place, method: 'POST', headers, agent: agents[protocol] });
        ending.abort = () => {
          reject(aborted);
          request.destroy();
        };
        request.on('error', reject);
        request.on('upgrade', (_response, socket) => {
          socket.destroy();
          reject(new Error('the receiver answered 101, for which nobody asked'));
        });
        request.on('response', (response) => {
          const chunks: Buffer[] = [];
          let length = 0;
          const finish = () => {
            const text = Buffer.concat(chunks).toString('utf8', 0, maxAnswerBytes);
            resolve({ status: response.statusCode ?? 0, location: response.headers.location, body: text });
          };
          response.on('error', reject).on('end', finish);
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            length += chunk.length;
            if (length < maxAnswerBytes) return;
            finish();
            // The rest of a longer one is not waited for.
            request.destroy();
          });
        });
        if (ending.isAborted) ending.abort();
        else request.end(body);
      });
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

const aborted = new Error('the request was ended before its time');
