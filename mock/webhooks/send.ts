// One POST to a receiver: kept-alive connections, no redirects, the whole exchange within the timeout.
import type { Agent, request } from 'undici';
import type { AttemptOutcome } from '../world.ts';

export interface Message {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutSeconds: number;
}

export interface Sender {
  /** Never throws: that there was no answer is an outcome too. */
  send(message: Message): Promise<AttemptOutcome>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

interface Client {
  agent: Agent;
  request: typeof request;
}

const connectionsPerTarget = 16;
const keptAnswerBytes = 16_384;

export function createSender(): Sender {
  let client: Promise<Client> | undefined;
  let isClosed = false;
  return {
    async send(message) {
      if (isClosed) return { error: 'the mock was closed' };
      // Loaded for the first push: it would double the time until the mock is ready.
      client ??= loadClient();
      return exchange(await client, message);
    },
    async close() {
      isClosed = true;
      const { agent } = (await client) ?? {};
      await agent?.destroy();
    },
  };
}

async function loadClient(): Promise<Client> {
  const { Agent, request } = await import('undici');
  return { agent: new Agent({ connections: connectionsPerTarget }), request };
}

async function exchange(
  { agent, request }: Client,
  { url, timeoutSeconds, ...message }: Message,
): Promise<AttemptOutcome> {
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    const { statusCode, body } = await request(url, {
      ...message,
      method: 'POST',
      dispatcher: agent,
      signal,
    });
    return { status: statusCode, body: await readStart(body) };
  } catch (error) {
    return { error: signal.aborted ? `no complete answer within ${timeoutSeconds} s` : nameOf(error) };
  }
}

/** As much of an answer as the log keeps; leaving the loop ends the connection of one that goes on. */
async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= keptAnswerBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, keptAnswerBytes).toString();
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message === '' ? code : `${code}: ${error.message}`;
}
