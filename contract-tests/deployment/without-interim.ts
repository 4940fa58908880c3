// Takes interim answers (1xx) out of what a server sends. Any server may send 100 Continue unasked (RFC 9110, section 15.2), and undici takes it
// for a bad answer.
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** The connection as undici is to see it. */
export function withoutInterim(socket: Socket): Socket {
  // undici uses what every Duplex has, and `ref` and `unref` where they are there.
  return new Filtered(socket) as Duplex as Socket;
}

/** The most interim answers before the answer itself. */
const mostInterim = 100;

/** The longest head of an interim answer that is waited for, in bytes. */
const longestHead = 16_384;

class Filtered extends Duplex {
  readonly #socket: Socket;
  /** What may become an interim answer; undefined once the answer itself has begun. */
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

  /** undici writes a request in one go, its head and body together. */
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

  /** What is no interim answer, as far as that is known yet. */
  #filter(held: Buffer, chunk: Buffer): Buffer {
    let rest = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    for (let end = endOfInterim(rest); end > 0; end = endOfInterim(rest)) {
      if (++this.#count > mostInterim) {
        this.destroy(new Error(`more than ${mostInterim} interim answers (1xx) came before it`));
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
/** 101 is not one of them: nothing comes behind it. */
const interimLine = /^HTTP\/1\.[01] 1(?!01)\d\d$/;

/** Whether the bytes begin with an interim answer, or with what may become one. */
function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, statusLine.length);
  return interimLine.test(start + statusLine.slice(start.length));
}

/** Where the interim answer ends that the bytes begin with; 0 where none is whole. */
function endOfInterim(bytes: Buffer): number {
  if (bytes.length < statusLine.length || !mayBeInterim(bytes)) return 0;
  const end = bytes.indexOf('\r\n\r\n');
  return end < 0 ? 0 : end + 4;
}
