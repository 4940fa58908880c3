// Removes interim answers (1xx): servers may send 100 Continue unasked (RFC 9110, section 15.2), which undici treats as an error.
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

export function withoutInterim(socket: Socket): Socket {
  // undici uses only members of Duplex, and `ref` and `unref` if present.
  return new Filtered(socket) as Duplex as Socket;
}

const mostInterim = 100;

/** In bytes. */
const longestHead = 16_384;

class Filtered extends Duplex {
  readonly #socket: Socket;
  /** Data that may become an interim answer; undefined after the final answer has begun. */
  #held: Buffer | undefined;
  #count = 0;

  constructor(socket: Socket) {
    super({ autoDestroy: true });
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#pass(this.#held ? this.#filter(this.#held, chunk) : chunk));
    socket.on('end', () => {
      if (this.#held) this.#pass(this.#held);
      this.push(null);
    });
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  ref(): void {
    this.#socket.ref();
  }

  unref(): void {
    this.#socket.unref();
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#expectAnswer();
    this.#socket.write(chunk, encoding, callback);
  }

  /** undici writes head and body of a request together. */
  override _writev(
    chunks: { chunk: Buffer; encoding: BufferEncoding }[],
    callback: (error?: Error | null) => void,
  ): void {
    this.#expectAnswer();
    this.#socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), callback);
  }

  override _final(callback: () => void): void {
    this.#socket.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#socket.destroy();
    callback(error);
  }

  #expectAnswer(): void {
    this.#held = Buffer.alloc(0);
    this.#count = 0;
  }

  #pass(chunk: Buffer): void {
    if (chunk.length > 0 && !this.push(chunk)) this.#socket.pause();
  }

  /** Returns the data that does not belong to interim answers. */
  #filter(held: Buffer, chunk: Buffer): Buffer {
    let rest = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    for (let end = endOfInterim(rest); end > 0; end = endOfInterim(rest)) {
      if (++this.#count > mostInterim) {
        this.destroy(new Error(`more than ${mostInterim} interim answers (1xx) came before the final one`));
        return Buffer.alloc(0);
      }
      rest = rest.subarray(end);
    }
    const isOpen = mayBeInterim(rest) && rest.length < longestHead;
    this.#held = isOpen ? rest : undefined;
    return isOpen ? Buffer.alloc(0) : rest;
  }
}

const statusLine = 'HTTP/1.1 100';
/** Without 101, which no other answer follows. */
const interimLine = /^HTTP\/1\.[01] 1(?!01)\d\d$/;

/** Whether the bytes begin with an interim answer or a part of one. */
function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, statusLine.length);
  return interimLine.test(start + statusLine.slice(start.length));
}

/** The end of a complete interim answer at the start of the bytes, otherwise 0. */
function endOfInterim(bytes: Buffer): number {
  if (bytes.length < statusLine.length || !mayBeInterim(bytes)) return 0;
  const end = bytes.indexOf('\r\n\r\n');
  return end < 0 ? 0 : end + 4;
}
