import type { Signature } from './make-signature.ts';
import type { PushBody } from './push-body.ts';

export interface SentPush {
  method: string;
  /** In order, without transport headers such as Content-Length. */
  headers: readonly (readonly [name: string, value: string | Signature])[];
  body: PushBody;
  /** Default: all bytes at once. */
  transport?: Transport;
}

export interface Transport {
  /** Without a Content-Length. */
  chunked?: boolean;
  /** Cuts the body into parts; `pauseMs` precedes each part. */
  cut?: Cut;
  pauseMs?: number;
  /** Closes the connection without waiting for an answer: after everything is `sent`, or after `half` of the body. */
  hangUp?: 'sent' | 'half';
  /** Sends `Expect: 100-continue` and waits before the body. */
  expectContinue?: boolean;
}

export function headerText(value: string | Signature): string {
  return typeof value === 'string' ? value : value.value;
}

/** Returns the byte positions, in order, at which a body is cut into parts that are sent separately. */
export type Cut = (bytes: Buffer) => readonly number[];

export const inTwo: Cut = ({ length }) => [length >> 1];

export const afterEachByte: Cut = ({ length }) =>
  Array.from({ length: Math.max(0, length - 1) }, (_, at) => at + 1);

/** Cuts inside the first occurrence of each text, after each of its bytes except the last. */
export function insideOf(...texts: readonly string[]): Cut {
  return (bytes) =>
    texts.flatMap((text) => {
      const start = bytes.indexOf(text);
      return start < 0 ? [] : afterEachByte(Buffer.from(text)).map((at) => start + at);
    });
}

export function cutBody(bytes: Buffer, cut: Cut): Buffer[] {
  const ends = [...cut(bytes), bytes.length];
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}
