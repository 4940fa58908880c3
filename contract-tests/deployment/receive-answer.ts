// Sends a request and receives the complete answer, within limits.
import type { Dispatcher } from 'undici';
import type { RequestMessage, ResponseMessage } from '../core/exchange.ts';
import { type LargeAnswers, largeBytes } from './large-answers.ts';

/** An answer with its raw body. */
export interface ReceivedAnswer extends Pick<ResponseMessage, 'status' | 'headers'> {
  body: Buffer;
  /** Call this when the body is decoded and no longer needed. */
  endTurn(): void;
}

/** The limit for a body, both raw and decompressed, in bytes. */
export const mostBytes = 8 * 1_048_576;
export const tooLong = `its body is longer than ${mostBytes / 1_048_576} MB`;

/** Rejects if the answer is incomplete or exceeds the limits. */
export function receiveAnswer(
  dispatcher: Dispatcher,
  request: RequestMessage,
  large: LargeAnswers,
): Promise<ReceivedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedAnswer>();
  const { origin, pathname, search } = new URL(request.url);
  const { method, headers, body = null } = request;
  const message = { origin, path: `${pathname}${search}`, method, headers: lastOfEach(headers), body };
  const receiver = new Receiver(large);
  dispatcher.dispatch(message as Dispatcher.DispatchOptions, {
    onRequestStart: () => {},
    onResponseStart: (_, status, fields) => receiver.begin(status, fields),
    onResponseData: (controller, chunk) => receiver.add(chunk, controller),
    onResponseEnd: () => resolve(receiver.end()),
    onResponseError: (_, error) => {
      receiver.endTurn();
      reject(receiver.hasBegun && isClosing(error) ? new Error('aborted') : error);
    },
  });
  return promise;
}

/** Header names are case-insensitive; the last one counts. */
function lastOfEach(headers: RequestMessage['headers']): RequestMessage['headers'] {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(entries);
}

function isClosing(error: NodeJS.ErrnoException): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(`${error.code}`);
}

class Receiver {
  readonly #large: LargeAnswers;
  #head: Pick<ResponseMessage, 'status' | 'headers'> | undefined;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #turn: Promise<() => void> | undefined;

  constructor(large: LargeAnswers) {
    this.#large = large;
  }

  get hasBegun(): boolean {
    return this.#head !== undefined;
  }

  /** An error closes the connection and rejects. */
  begin(status: number, fields: Record<string, string | string[] | undefined>): void {
    if (status < 200) throw new Error(`the answer ended after HTTP ${status}`);
    this.#head = { status, headers: joined(fields) };
  }

  add(chunk: Buffer, controller: Dispatcher.DispatchController): void {
    this.#length += chunk.length;
    if (this.#length > mostBytes) throw new Error(tooLong);
    this.#chunks.push(chunk);
    if (this.#length > largeBytes) this.#awaitTurn(controller);
  }

  #awaitTurn(controller: Dispatcher.DispatchController): void {
    if (this.#turn !== undefined) return;
    controller.pause();
    this.#turn = this.#large.turn();
    void this.#turn.then(() => controller.resume());
  }

  end(): ReceivedAnswer {
    const { status, headers } = this.#head ?? { status: 0, headers: {} };
    const body = Buffer.concat(this.#chunks, this.#length);
    return { status, headers, body, endTurn: () => this.endTurn() };
  }

  endTurn(): void {
    void this.#turn?.then((end) => end());
  }
}

/** Node uses the first of these headers: https://nodejs.org/api/http.html#messageheaders */
const single = new Set(
  `age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since
  last-modified location max-forwards proxy-authorization referer retry-after server user-agent`.split(/\s+/),
);

function joined(fields: Record<string, string | string[] | undefined>): ResponseMessage['headers'] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value = '']) => {
      if (name === 'set-cookie') return [name, [value].flat()];
      if (typeof value === 'string') return [name, value];
      return [name, single.has(name) ? value[0] : value.join(', ')];
    }),
  );
}
